package lint

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// cluster is what the manifests make.
type cluster struct {
	*testing.T
	pods    map[string]corev1.PodTemplateSpec // by component
	secrets map[string]corev1.Secret
	claims  map[string]bool
	all     []object
}

func read(t *testing.T) cluster {
	t.Helper()
	c := cluster{t, map[string]corev1.PodTemplateSpec{}, map[string]corev1.Secret{}, map[string]bool{}, nil}
	var err error
	if c.all, err = manifests("../kubernetes"); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.all {
		switch o := o.(type) {
		case *appsv1.Deployment:
			c.pods["serve"] = o.Spec.Template
		case *batchv1.Job:
			c.pods["migrate"] = o.Spec.Template
		case *batchv1.CronJob:
			c.pods["load"] = o.Spec.JobTemplate.Spec.Template
		case *corev1.Secret:
			c.secrets[o.Name] = *o
		case *corev1.PersistentVolumeClaim:
			c.claims[o.Name] = true
		}
	}
	if len(c.pods) != 3 || len(c.secrets) != 2 {
		t.Fatalf("%d pods, %d secrets", len(c.pods), len(c.secrets))
	}
	return c
}

// selects tells which components a selector means.
func (c cluster) selects(s *metav1.LabelSelector) (names []string) {
	c.Helper()
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		c.Fatal(err)
	}
	for _, name := range []string{"load", "migrate", "serve"} {
		if selector.Matches(labels.Set(c.pods[name].Labels)) {
			names = append(names, name)
		}
	}
	return names
}

func TestManifestsSelectThePodsTheyMean(t *testing.T) {
	c := read(t)
	want := map[string]string{
		"Deployment sightline": "serve", "Service sightline": "serve", "PodDisruptionBudget sightline": "serve",
		"NetworkPolicy sightline-serve": "serve", "NetworkPolicy sightline-jobs": "load migrate", "NetworkPolicy sightline-databases": "load migrate serve",
	}
	for _, o := range c.all {
		var kind string
		var selector *metav1.LabelSelector
		switch o := o.(type) {
		case *appsv1.Deployment:
			kind, selector = "Deployment", o.Spec.Selector
			if o.Spec.Replicas == nil || *o.Spec.Replicas != 2 {
				t.Error("there are not two servers")
			}
		case *corev1.Service:
			kind, selector = "Service", &metav1.LabelSelector{MatchLabels: o.Spec.Selector}
		case *policyv1.PodDisruptionBudget:
			kind, selector = "PodDisruptionBudget", o.Spec.Selector
		case *networkingv1.NetworkPolicy:
			kind, selector = "NetworkPolicy", &o.Spec.PodSelector
		default:
			continue
		}
		name := kind + " " + o.GetName()
		if got := strings.Join(c.selects(selector), " "); got != want[name] || got == "" {
			t.Errorf("%s selects %q, want %q", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestPodsMayDoLittleAndFindWhatTheyName(t *testing.T) {
	c := read(t)
	for name, pod := range c.pods {
		s := pod.Spec
		if s.SecurityContext == nil || s.SecurityContext.RunAsNonRoot == nil || !*s.SecurityContext.RunAsNonRoot || *s.AutomountServiceAccountToken {
			t.Errorf("%s may be root, or has a token", name)
		}
		volumes := make(map[string]bool)
		for _, v := range s.Volumes {
			volumes[v.Name] = true
			if v.PersistentVolumeClaim != nil && !c.claims[v.PersistentVolumeClaim.ClaimName] {
				t.Errorf("%s: no claim %s", name, v.PersistentVolumeClaim.ClaimName)
			}
		}
		for _, k := range s.Containers {
			sc := k.SecurityContext
			if sc == nil || !*sc.ReadOnlyRootFilesystem || *sc.AllowPrivilegeEscalation || len(sc.Capabilities.Drop) != 1 || k.Resources.Limits.Memory().IsZero() {
				t.Errorf("%s may do more than it needs", name)
			}
			for _, m := range k.VolumeMounts {
				if !volumes[m.Name] {
					t.Errorf("%s: no volume %s", name, m.Name)
				}
			}
			for _, from := range k.EnvFrom {
				if _, ok := c.secrets[from.SecretRef.Name]; !ok {
					t.Errorf("%s: no secret %s", name, from.SecretRef.Name)
				}
			}
		}
	}
	serves := c.pods["serve"].Spec.Containers[0].EnvFrom[0].SecretRef.Name
	for name, s := range c.secrets {
		if got := strings.Contains(s.StringData["SIGHTLINE_FACTS"], "//sightline_serve@"); got != (name == serves) {
			t.Errorf("%s signs in with the role of the other", name)
		}
		for _, password := range []string{"PGPASSWORD", "SIGHTLINE_CLICKHOUSE_PASSWORD"} {
			if s.StringData[password] != "CHANGE-ME" {
				t.Errorf("%s has a %s", name, password)
			}
		}
	}
}

func TestProbesAndServiceReachThePort(t *testing.T) {
	c := read(t)
	k := c.pods["serve"].Spec.Containers[0]
	if len(k.Ports) != 2 || k.Ports[0].Name != "http" || k.Ports[1].Name != "admin" {
		t.Fatalf("%+v", k.Ports)
	}
	for path, probes := range map[string][]*corev1.Probe{"/readyz": {k.StartupProbe, k.ReadinessProbe}, "/livez": {k.LivenessProbe}} {
		for _, p := range probes {
			if p == nil || p.HTTPGet == nil || p.HTTPGet.Port.StrVal != "admin" || p.HTTPGet.Path != path {
				t.Errorf("%+v", p)
			}
		}
	}
	for _, o := range c.all {
		if s, ok := o.(*corev1.Service); ok && s.Spec.Ports[0].TargetPort.StrVal != "http" {
			t.Errorf("%+v", s.Spec.Ports)
		}
		if p, ok := o.(*networkingv1.NetworkPolicy); ok && p.Name == "sightline-serve" && (p.Spec.Ingress[0].Ports[0].Port.IntVal != k.Ports[0].ContainerPort || p.Spec.Ingress[1].Ports[0].Port.IntVal != k.Ports[1].ContainerPort) {
			t.Errorf("callers may reach %+v", p.Spec.Ingress)
		}
	}
}

func TestAWrongManifestIsFound(t *testing.T) {
	for name, text := range map[string]string{
		"a field that is none":  "apiVersion: apps/v1\nkind: Deployment\nspec: {replica: 2}\n",
		"a field that is twice": "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nmetadata: {name: b}\n",
		"a number as text":      "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: two}\n",
		"a kind of the past":    "apiVersion: extensions/v1beta1\nkind: Deployment\n",
	} {
		if _, err := decode([]byte(text)); err == nil {
			t.Errorf("%s: nothing was found", name)
		}
	}
}
