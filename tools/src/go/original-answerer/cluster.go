package main

import (
	"context"
	"fmt"

	"github.com/awslabs/operatorpkg/object"
	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	fakeclient "sigs.k8s.io/controller-runtime/pkg/client/fake"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/fake"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/test/v1alpha1"
)

// What a machine keeps for itself, as in the recorded questions.
var kubeReserved = corev1.ResourceList{
	corev1.ResourceCPU:    resource.MustParse("100m"),
	corev1.ResourceMemory: resource.MustParse("10Mi"),
}

// world is what a scheduler reads.
type world struct {
	kube     client.Client
	provider *fake.CloudProvider
	cluster  *state.Cluster
	clock    clock.Clock
}

// worldOf makes the cluster of a question.
func worldOf(ctx context.Context, asked *question) (*world, error) {
	for index, pool := range asked.NodePools {
		makeReady(pool, index)
	}
	clk := clock.RealClock{}
	kube := clientOf(asked)
	provider := providerOf(asked.Types)
	cluster := state.NewCluster(clk, kube, provider)
	for _, node := range asked.Nodes {
		if err := cluster.UpdateNode(ctx, node); err != nil {
			return nil, err
		}
	}
	for _, pod := range asked.Bound {
		if err := cluster.UpdatePod(ctx, pod); err != nil {
			return nil, err
		}
	}
	return &world{kube: kube, provider: provider, cluster: cluster, clock: clk}, nil
}

// makeReady sets what controllers would set before a NodePool is planned for.
func makeReady(pool *karpenter.NodePool, index int) {
	pool.UID = types.UID(fmt.Sprintf("pool-%d", index))
	pool.Status.Conditions = nil
	for _, kind := range []string{status.ConditionReady, karpenter.ConditionTypeValidationSucceeded, karpenter.ConditionTypeNodeClassReady} {
		pool.Status.Conditions = append(pool.Status.Conditions, status.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: "Ready"})
	}
	gvk := object.GVK(&v1alpha1.TestNodeClass{})
	pool.Spec.Template.Spec.NodeClassRef = &karpenter.NodeClassReference{Group: gvk.Group, Kind: gvk.Kind, Name: "default"}
}

// appendObjects appends objects of one kind to those of all kinds.
func appendObjects[T client.Object](all []client.Object, objects []T) []client.Object {
	for _, each := range objects {
		each.SetResourceVersion("")
		all = append(all, each)
	}
	return all
}

// clientOf holds the objects of the question, with the indices that the scheduler reads them by.
func clientOf(asked *question) client.Client {
	namespaces := asked.Namespaces
	if len(namespaces) == 0 {
		namespaces = []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "default"}}}
	}
	var objects []client.Object
	objects = appendObjects(objects, namespaces)
	objects = appendObjects(objects, asked.NodePools)
	objects = appendObjects(objects, asked.Nodes)
	objects = appendObjects(objects, asked.Bound)
	objects = appendObjects(objects, asked.Pods)
	objects = appendObjects(objects, asked.DaemonSets)
	objects = appendObjects(objects, asked.PersistentVolumeClaims)
	objects = appendObjects(objects, asked.PersistentVolumes)
	objects = appendObjects(objects, asked.StorageClasses)
	return fakeclient.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(objects...).
		WithIndex(&corev1.Pod{}, "spec.nodeName", func(o client.Object) []string {
			return []string{o.(*corev1.Pod).Spec.NodeName}
		}).
		WithIndex(&corev1.Node{}, "spec.providerID", func(o client.Object) []string {
			return []string{o.(*corev1.Node).Spec.ProviderID}
		}).
		WithIndex(&karpenter.NodeClaim{}, "status.providerID", func(o client.Object) []string {
			return []string{o.(*karpenter.NodeClaim).Status.ProviderID}
		}).
		Build()
}

// providerOf sells the types of the question. Their labels count as well-known from then on.
func providerOf(sold []instanceType) *fake.CloudProvider {
	provider := fake.NewCloudProvider()
	provider.NodeClassGroupVersionKind = []schema.GroupVersionKind{object.GVK(&v1alpha1.TestNodeClass{})}
	for index := range sold {
		provider.InstanceTypes = append(provider.InstanceTypes, typeOf(&sold[index]))
	}
	return provider
}

func typeOf(sold *instanceType) *cloudprovider.InstanceType {
	var offerings cloudprovider.Offerings
	var zones, capacityTypes []string
	for _, each := range sold.Offerings {
		zones, capacityTypes = append(zones, each.Zone), append(capacityTypes, each.CapacityType)
		requirements := scheduling.NewLabelRequirements(map[string]string{
			karpenter.CapacityTypeLabelKey: each.CapacityType,
			corev1.LabelTopologyZone:       each.Zone,
		})
		offerings = append(offerings, &cloudprovider.Offering{Available: true, Price: each.Price, Requirements: requirements})
	}
	in := func(key string, values ...string) *scheduling.Requirement {
		return scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, values...)
	}
	requirements := scheduling.NewRequirements(
		in(corev1.LabelInstanceTypeStable, sold.Name),
		in(corev1.LabelArchStable, sold.Arch),
		in(corev1.LabelOSStable, "linux"),
		in(corev1.LabelTopologyZone, zones...),
		in(karpenter.CapacityTypeLabelKey, capacityTypes...),
	)
	for key, values := range sold.Labels {
		karpenter.WellKnownLabels.Insert(key)
		requirements.Add(in(key, values...))
	}
	return &cloudprovider.InstanceType{
		Name:         sold.Name,
		Requirements: requirements,
		Offerings:    offerings,
		Capacity:     capacityOf(sold),
		Overhead:     &cloudprovider.InstanceTypeOverhead{KubeReserved: kubeReserved},
	}
}

func capacityOf(sold *instanceType) corev1.ResourceList {
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(sold.CpuMillis, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(sold.Memory, resource.BinarySI),
		corev1.ResourcePods:   *resource.NewQuantity(sold.Pods, resource.DecimalSI),
	}
	for name, amount := range sold.Resources {
		capacity[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
	return capacity
}
