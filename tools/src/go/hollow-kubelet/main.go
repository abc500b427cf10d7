// Command hollow-kubelet is the kubelet of Kubernetes over a container runtime that starts nothing, as kubemark has it.
// It takes the flags of a kubelet as a bootstrap writes them, and what its machine is:
//
//	hollow-kubelet --machine-cpus=8 --machine-memory=34359738368 --hostname-override=node-1 --kubeconfig=FILE --root-dir=FOLDER FLAG…
//
// kubemark itself knows machines of one core only, and few of the kubelet's flags.
package main

import (
	"context"
	"log"
	"os"
	"time"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	"github.com/spf13/pflag"
	"go.opentelemetry.io/otel/trace/noop"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	remote "k8s.io/cri-client/pkg"
	fakeremote "k8s.io/cri-client/pkg/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	cadvisortest "k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubemark"
)

// machine is what a kubelet believes to run on.
type machine struct {
	cadvisortest.Fake
	cpus   int
	memory uint64
}

func (m *machine) MachineInfo() (*cadvisorapi.MachineInfo, error) {
	return &cadvisorapi.MachineInfo{NumCores: m.cpus, MemoryCapacity: m.memory}, nil
}

// reserving keeps back what the flags say; kubemark's own keeps back nothing.
type reserving struct {
	cm.ContainerManager
	reserved v1.ResourceList
}

func (r *reserving) GetNodeAllocatableReservation() v1.ResourceList { return r.reserved }

func reservedBy(config *kubeletconfig.KubeletConfiguration) v1.ResourceList {
	sum := v1.ResourceList{}
	for _, texts := range []map[string]string{config.KubeReserved, config.SystemReserved, {"memory": config.EvictionHard["memory.available"]}} {
		for name, text := range texts {
			quantity, err := resource.ParseQuantity(text)
			if err != nil {
				continue
			}
			quantity.Add(sum[v1.ResourceName(name)])
			sum[v1.ResourceName(name)] = quantity
		}
	}
	return sum
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// withoutHost turns off what needs a host of one's own: files of the node image, cgroups, ports.
func withoutHost(flags *options.KubeletFlags, config *kubeletconfig.KubeletConfiguration) {
	flags.BootstrapKubeconfig = ""
	flags.ImageCredentialProviderConfigPath = ""
	flags.ImageCredentialProviderBinDir = ""
	config.StaticPodPath = ""
	config.ResolverConfig = ""
	config.PodLogsDir = flags.RootDirectory + "/pod-logs"
	config.CgroupsPerQOS = false
	config.CgroupRoot = ""
	config.EnforceNodeAllocatable = nil
	config.ProtectKernelDefaults = false
	config.EnableServer = false
	config.ReadOnlyPort = 0
	config.LocalStorageCapacityIsolation = false
}

func main() {
	flags, config := options.NewKubeletFlags(), must(options.NewKubeletConfiguration())
	own := &machine{}
	set := pflag.NewFlagSet("hollow-kubelet", pflag.ExitOnError)
	flags.AddFlags(set)
	options.AddKubeletConfigFlags(set, config)
	set.IntVar(&own.cpus, "machine-cpus", 1, "cores of the machine")
	set.Uint64Var(&own.memory, "machine-memory", 4<<30, "bytes of memory of the machine")
	if err := set.Parse(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
	withoutHost(flags, config)

	connection := must(clientcmd.BuildConfigFromFlags("", flags.KubeConfig))
	connection.UserAgent = "hollow-kubelet"
	heartbeats := *connection
	heartbeats.QPS = -1
	heartbeats.Timeout = config.NodeStatusUpdateFrequency.Duration

	endpoint := must(fakeremote.GenerateEndpoint())
	runtime := fakeremote.NewFakeRemoteRuntime()
	if err := runtime.Start(endpoint); err != nil {
		log.Fatal(err)
	}
	defer runtime.Stop()
	logger := klog.Background()
	service := must(remote.NewRemoteRuntimeService(endpoint, 15*time.Second, noop.NewTracerProvider(), &logger))

	manager := &reserving{ContainerManager: cm.NewStubContainerManager(), reserved: reservedBy(config)}
	kubemark.NewHollowKubelet(
		flags, config,
		must(clientset.NewForConfig(connection)), must(clientset.NewForConfig(&heartbeats)),
		own, runtime.ImageService, service, manager,
	).Run(context.Background())
}
