// Command original-answerer plans with the scheduler of the original Karpenter. It reads questions from standard input,
// one JSON object a line, in the form of tools/data/original/random-clusters.jsonl.gz, and writes one line for each:
//
//	{"id":"wild-7-0000","answer":{"nodes":[…],"existing":{…},"leftOver":[…],"pricePerHour":1.5,"milliseconds":12.3}}
//	{"id":"wild-7-0001","error":"…"}
//
// There is no cluster: objects come from a fake client, instance types from the fake cloud provider, both of the
// original's own libraries. Claims for devices are ignored.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// answered is one line of the output: an answer, or why there is none.
type answered struct {
	ID     string  `json:"id"`
	Answer *answer `json:"answer,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// answerSafely is answerOf for a question that may make the scheduler panic.
func answerSafely(asked *question) (result answered) {
	result.ID = asked.ID
	defer func() {
		if reason := recover(); reason != nil {
			result.Answer, result.Error = nil, fmt.Sprintf("panic: %v", reason)
		}
	}()
	found, err := answerOf(asked)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Answer = found
	return result
}

func run(in io.Reader, out io.Writer) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var asked question
		err := questions.Decode(&asked)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := answers.Encode(answerSafely(&asked)); err != nil {
			return err
		}
	}
}

func main() {
	log.SetLogger(logr.Discard())
	out := bufio.NewWriter(os.Stdout)
	err := errors.Join(run(bufio.NewReader(os.Stdin), out), out.Flush())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
