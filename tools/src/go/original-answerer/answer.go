package main

import (
	"context"
	"math"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// The original's own limit for one pass.
const longest = time.Minute

// answerOf plans for the pending pods of a question. Its labels of types stay well-known for that question alone.
func answerOf(asked *question) (*answer, error) {
	wellKnown := karpenter.WellKnownLabels
	karpenter.WellKnownLabels = wellKnown.Clone()
	defer func() { karpenter.WellKnownLabels = wellKnown }()
	ctx, cancel := context.WithTimeout(contextFor(asked), longest)
	defer cancel()
	from, err := worldOf(ctx, asked)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	results, err := solve(ctx, from, asked)
	if err != nil {
		return nil, err
	}
	answered := read(results)
	answered.Milliseconds = float64(time.Since(start).Microseconds()) / 1000
	return answered, nil
}

// contextFor carries the options that the scheduler reads from its context.
func contextFor(asked *question) context.Context {
	return options.ToContext(context.Background(), &options.Options{
		PreferencePolicy:  asked.Preferences,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		CPURequests:       1000,
		IgnoreDRARequests: true,
	})
}

func solve(ctx context.Context, from *world, asked *question) (scheduler.Results, error) {
	how := []scheduler.Options{
		scheduler.DisableReservedCapacityFallback,
		scheduler.NumConcurrentReconciles(1),
		scheduler.MinValuesPolicy(options.MinValuesPolicyStrict),
	}
	if asked.Preferences == options.PreferencePolicyIgnore {
		how = append(how, scheduler.IgnorePreferences)
	}
	// The scheduler relaxes the preferences of pods in place.
	pods := make([]*corev1.Pod, 0, len(asked.Pods))
	for _, pod := range asked.Pods {
		pods = append(pods, pod.DeepCopy())
	}
	recorder := events.NewRecorder(&record.FakeRecorder{})
	provisioner := provisioning.NewProvisioner(from.kube, recorder, from.provider, from.cluster, from.clock, nil, nil)
	planner, err := provisioner.NewScheduler(ctx, pods, from.cluster.DeepCopyNodes().Active(), sets.New[types.UID](), how...)
	if err != nil {
		return scheduler.Results{}, err
	}
	return planner.Solve(ctx, pods)
}

func read(results scheduler.Results) *answer {
	answered := &answer{Existing: map[string][]string{}}
	for _, claim := range results.NewNodeClaims {
		node := cheapestOf(claim)
		answered.Nodes = append(answered.Nodes, node)
		answered.PricePerHour += node.Price
	}
	for _, node := range results.ExistingNodes {
		if len(node.Pods) > 0 {
			answered.Existing[node.Node.Name] = namesOf(node.Pods)
		}
	}
	for pod := range results.PodErrors {
		answered.LeftOver = append(answered.LeftOver, nameOf(pod))
	}
	sort.Strings(answered.LeftOver)
	return answered
}

// cheapestOf is the machine that a launch of the claim would buy.
func cheapestOf(claim *scheduler.NodeClaim) plannedNode {
	node := plannedNode{Pool: claim.NodePoolName, Price: math.MaxFloat64, Pods: namesOf(claim.Pods)}
	for _, option := range claim.InstanceTypeOptions {
		for _, each := range option.Offerings {
			isCheaper := each.Available && each.Price < node.Price
			if isCheaper && claim.Requirements.IsCompatible(each.Requirements, scheduling.AllowUndefinedWellKnownLabels) {
				node.Type, node.Price = option.Name, each.Price
				node.Zone = each.Requirements.Get(corev1.LabelTopologyZone).Any()
				node.Ct = each.Requirements.Get(karpenter.CapacityTypeLabelKey).Any()
			}
		}
	}
	return node
}

func namesOf(pods []*corev1.Pod) []string {
	names := make([]string, 0, len(pods))
	for _, pod := range pods {
		names = append(names, nameOf(pod))
	}
	return names
}

// nameOf is the name of a pod in the namespace default, and namespace/name elsewhere.
func nameOf(pod *corev1.Pod) string {
	if pod.Namespace == "" || pod.Namespace == corev1.NamespaceDefault {
		return pod.Name
	}
	return pod.Namespace + "/" + pod.Name
}
