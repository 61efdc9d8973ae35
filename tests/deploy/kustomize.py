"""Renders a Kustomize overlay as `kubectl kustomize` does, for machines that have no kubectl: as much of it as
deploy/kubernetes uses. Anything else is an error, so that nothing is passed over in silence.

    python3 tests/deploy/kustomize.py OVERLAY
"""

import copy
import pathlib
import sys

import yaml

KNOWN = {"apiVersion", "kind", "resources", "components", "patches", "configMapGenerator", "labels", "images", "replicas"}
# Lists of objects that a patch merges by this key; all other lists it replaces.
MERGE_KEYS = {
    "containers": "name", "env": "name", "volumes": "name", "volumeMounts": "mountPath", "ports": "containerPort",
}


def load(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def merged(base, patch, field=None):
    """The strategic merge of `patch` into `base`."""
    if isinstance(base, dict) and isinstance(patch, dict):
        result = dict(base)
        for key, value in patch.items():
            if value is None:
                result.pop(key, None)
            else:
                result[key] = merged(result[key], value, key) if key in result else value
        return result
    key = MERGE_KEYS.get(field)
    if key and isinstance(base, list) and isinstance(patch, list):
        names = {item[key] for item in base}
        changed = {item[key]: item for item in patch}
        kept = [merged(item, changed.get(item[key], {})) for item in base]
        return [item for item in patch if item[key] not in names] + kept
    return patch


def same(one, other):
    return one["kind"] == other["kind"] and one["metadata"]["name"] == other["metadata"]["name"]


def the_only(objects, fits, what):
    found = [object_ for object_ in objects if fits(object_)]
    if len(found) != 1:
        sys.exit(f"{what} fits {len(found)} objects, and must fit one")
    return found[0]


def generate(objects, generator):
    """A ConfigMap of literals, or more literals for one that is there."""
    data = dict(literal.split("=", 1) for literal in generator["literals"])
    if generator.get("behavior", "create") == "merge":
        is_it = {"kind": "ConfigMap", "metadata": {"name": generator["name"]}}
        the_only(objects, lambda it: same(it, is_it), f"the generator {generator['name']}")["data"].update(data)
    else:
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": generator["name"]}, "data": data})


def set_image(objects, image):
    for object_ in objects:
        for container in object_.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            if container["image"].split(":")[0] == image["name"]:
                container["image"] = f"{image.get('newName', image['name'])}:{image['newTag']}"


def render(folder, below=()):
    """The objects of a kustomization; of a component, those of `below` changed and added to."""
    kustomization = load(folder / "kustomization.yaml")[0]
    unknown = set(kustomization) - KNOWN
    if unknown:
        sys.exit(f"{folder}: tests/deploy/kustomize.py cannot do {', '.join(sorted(unknown))} yet")
    objects = copy.deepcopy(list(below))
    for name in kustomization.get("resources", []):
        path = folder / name
        objects += render(path) if path.is_dir() else load(path)
    for generator in kustomization.get("configMapGenerator", []):
        generate(objects, generator)
    for name in kustomization.get("components", []):
        objects = render(folder / name, objects)
    for patch in kustomization.get("patches", []):
        for change in load(folder / patch["path"]):
            target = the_only(objects, lambda it: same(it, change), f"{folder / patch['path']}")
            objects[objects.index(target)] = merged(target, change)
    for label in kustomization.get("labels", []):
        for object_ in objects:
            object_["metadata"].setdefault("labels", {}).update(label["pairs"])
    for replicas in kustomization.get("replicas", []):
        is_it = {"kind": "Deployment", "metadata": {"name": replicas["name"]}}
        the_only(objects, lambda it: same(it, is_it), "replicas")["spec"]["replicas"] = replicas["count"]
    for image in kustomization.get("images", []):
        set_image(objects, image)
    return objects


if __name__ == "__main__":
    yaml.safe_dump_all(render(pathlib.Path(sys.argv[1])), sys.stdout, sort_keys=False)
