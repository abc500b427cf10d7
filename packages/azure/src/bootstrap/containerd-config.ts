const PAUSE_IMAGE = 'mcr.microsoft.com/oss/kubernetes/pause:3.6';

const runtime = (name: string, binary: string): string => `
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.${name}]
      runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.${name}.options]
      BinaryName = "${binary}"`;

/** containerd's `config.toml`: runc, or NVIDIA's runtime where the driver is installed. */
export const containerdConfigOf = (hasGpuDriver: boolean): string => {
  const name = hasGpuDriver ? 'nvidia-container-runtime' : 'runc';
  return `version = 2
oom_score = 0
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "${name}"${runtime(name, `/usr/bin/${name}`)}
      SystemdCgroup = true${runtime('untrusted', `/usr/bin/${name}`)}
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "/etc/containerd/certs.d"
  [plugins."io.containerd.grpc.v1.cri".registry.headers]
    X-Meta-Source-Client = ["azure/aks"]
[metrics]
  address = "0.0.0.0:10257"
`;
};
