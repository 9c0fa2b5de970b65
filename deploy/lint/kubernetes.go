package lint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// object is any object of Kubernetes.
type object interface{ GetName() string }

// kinds are the objects that are used here.
var kinds = map[metav1.TypeMeta]func() object{
	{APIVersion: "apps/v1", Kind: "Deployment"}:                 func() object { return new(appsv1.Deployment) },
	{APIVersion: "batch/v1", Kind: "CronJob"}:                   func() object { return new(batchv1.CronJob) },
	{APIVersion: "batch/v1", Kind: "Job"}:                       func() object { return new(batchv1.Job) },
	{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"}: func() object { return new(networkingv1.NetworkPolicy) },
	{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}:      func() object { return new(policyv1.PodDisruptionBudget) },
	{APIVersion: "v1", Kind: "PersistentVolumeClaim"}:           func() object { return new(corev1.PersistentVolumeClaim) },
	{APIVersion: "v1", Kind: "Secret"}:                          func() object { return new(corev1.Secret) },
	{APIVersion: "v1", Kind: "Service"}:                         func() object { return new(corev1.Service) },
}

// decode reads a manifest. Fields that Kubernetes does not know, and fields that
// occur twice, are errors.
func decode(text []byte) (all []object, err error) {
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal(document, &meta); err != nil {
			return nil, err
		}
		make, ok := kinds[meta]
		if !ok {
			return nil, fmt.Errorf("nobody knows %s %s", meta.APIVersion, meta.Kind)
		}
		o := make()
		if err := yaml.UnmarshalStrict(document, o); err != nil {
			return nil, fmt.Errorf("%s: %w", meta.Kind, err)
		}
		all = append(all, o)
	}
	return all, nil
}

// manifests reads all of them.
func manifests(dir string) (all []object, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		some, err := decode(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}
