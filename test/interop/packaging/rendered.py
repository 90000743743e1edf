"""rendered.py RECIPE -- a recipe as rattler-build renders it for linux-64, as JSON; needs py-rattler-build and no network."""
import json
import sys

from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

LINUX = dict.fromkeys(("target_platform", "build_platform", "host_platform"), "linux-64")
VARIANT = "c_compiler: [gcc]\nc_compiler_version: ['14']\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.17']\n"
recipe = Stage0Recipe.from_file(sys.argv[1])
print(json.dumps([v.recipe.to_dict() for v in recipe.render(VariantConfig.from_yaml(VARIANT), RenderConfig(platform=PlatformConfig(**LINUX)))]))
