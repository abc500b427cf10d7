package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// question is a cluster with pending pods.
type question struct {
	ID        string                `json:"id"`
	Pods      []*corev1.Pod         `json:"pods"`
	NodePools []*karpenter.NodePool `json:"nodePools"`
	// Offered to each of the pools.
	Types []instanceType `json:"types"`
	Nodes []*corev1.Node `json:"nodes"`
	// Pods that run on the nodes.
	Bound      []*corev1.Pod       `json:"bound"`
	DaemonSets []*appsv1.DaemonSet `json:"daemonSets"`
	// Without any there is the namespace default.
	Namespaces             []*corev1.Namespace             `json:"namespaces"`
	PersistentVolumeClaims []*corev1.PersistentVolumeClaim `json:"persistentVolumeClaims"`
	PersistentVolumes      []*corev1.PersistentVolume      `json:"persistentVolumes"`
	StorageClasses         []*storagev1.StorageClass       `json:"storageClasses"`
	Preferences            options.PreferencePolicy        `json:"preferences"`
}

// instanceType is a size of machine. Memory is in bytes.
type instanceType struct {
	Name      string
	CpuMillis int64
	Memory    int64
	Pods      int64
	Arch      string
	Offerings []offering
	// Labels that count as well-known: pods may require them of every pool.
	Labels map[string][]string
	// What the type has beside cores, memory and room for pods.
	Resources map[string]string
}

// offering is where an instance type is sold, and for how much an hour.
type offering struct {
	Zone         string
	CapacityType string
	Price        float64
}

// answer is what the scheduler decided.
type answer struct {
	Nodes []plannedNode `json:"nodes"`
	// Node to pods.
	Existing     map[string][]string `json:"existing"`
	LeftOver     []string            `json:"leftOver"`
	PricePerHour float64             `json:"pricePerHour"`
	Milliseconds float64             `json:"milliseconds"`
}

// plannedNode is a machine to launch, at its cheapest offering. The names of its fields are those of recorded answers.
type plannedNode struct {
	Pool  string
	Type  string
	Zone  string
	Ct    string
	Price float64
	Pods  []string
}
