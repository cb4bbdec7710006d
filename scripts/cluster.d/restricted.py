"""Checks manifests by the published schemas, and their pods by the restricted profile of the Pod Security Standards.

https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted (which contains the baseline profile)
"""

import sys

import kubernetes_validate
import yaml

VOLUMES = {
    "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret",
}
HOST_KEYS = ("hostNetwork", "hostPID", "hostIPC")


def pod_of(document):
    spec = document["spec"]
    if document["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    return spec["template"]["spec"]


def violations(pod):
    """What the restricted profile refuses in a pod; each with the key that causes it."""
    for key in HOST_KEYS:
        if pod.get(key):
            yield f"{key} is true"
    for volume in pod.get("volumes", []):
        kinds = set(volume) - {"name"}
        if not kinds <= VOLUMES:
            yield f"volume {volume['name']} is of kind {kinds - VOLUMES}"
    outer = pod.get("securityContext", {})
    for container in pod.get("initContainers", []) + pod["containers"]:
        name = container["name"]
        inner = container.get("securityContext", {})

        def effective(key):
            return inner.get(key, outer.get(key))

        if inner.get("privileged"):
            yield f"{name}: privileged is true"
        if inner.get("allowPrivilegeEscalation") is not False:
            yield f"{name}: allowPrivilegeEscalation is not false"
        if effective("runAsNonRoot") is not True:
            yield f"{name}: runAsNonRoot is not true"
        if effective("runAsUser") == 0:
            yield f"{name}: runAsUser is 0"
        if (effective("seccompProfile") or {}).get("type") not in ("RuntimeDefault", "Localhost"):
            yield f"{name}: seccompProfile is neither RuntimeDefault nor Localhost"
        capabilities = inner.get("capabilities", {})
        if "ALL" not in capabilities.get("drop", []):
            yield f"{name}: capabilities do not drop ALL"
        if not set(capabilities.get("add", [])) <= {"NET_BIND_SERVICE"}:
            yield f"{name}: capabilities add more than NET_BIND_SERVICE"
        if any(port.get("hostPort") for port in container.get("ports", [])):
            yield f"{name}: hostPort is set"
        if inner.get("procMount", "Default") != "Default":
            yield f"{name}: procMount is not Default"


def main(paths):
    failed = False
    for path in paths:
        with open(path, encoding="utf-8") as file:
            documents = [document for document in yaml.safe_load_all(file) if document]
        problems = [] if documents else ["there is no manifest"]
        for document in documents:
            try:
                kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
            except kubernetes_validate.ValidationError as error:
                problems.append(f"{'.'.join(str(part) for part in error.path)}: {error.message}")
            problems += violations(pod_of(document))
        for problem in problems:
            print(f"{path}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
        if not problems:
            print(f"{path}: valid, and restricted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
