"""Installs the peers that are asked for, each in its pinned version, into this folder. Standard library only."""
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import options

HERE = Path(__file__).resolve().parent
NPM = HERE / "peers/npm"
DOM_SMOOTHIE = HERE / "peers/dom-smoothie"

# Versions of pip of 2023 fail on requirements that name one extra of a package twice, as those of jusText do.
PIP = "pip==25.3"
PARSER = "selectolax"  # reads the labels


def install(peers, environment):
    install_from_pypi({peer.split()[0] for peer in options.PYPI if peer in peers}, environment)
    if any(peer in peers for peer in options.NPM):
        # Without the scripts of packages: none of these has any, and none should get one unnoticed.
        call([need("npm"), "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], NPM)
    if any(peer in peers for peer in options.CRATES):
        call([need("cargo"), "build", "--release", "--locked", "--quiet", "--target-dir", "target"], DOM_SMOOTHIE)


def install_from_pypi(peers, environment):
    wanted = "\n".join([PIP, (HERE / "requirements.txt").read_text(), *sorted(peers)])
    done = environment / "installed"  # asking pip takes seconds, even where there is nothing to do
    if done.is_file() and done.read_text() == wanted:
        return
    if not (environment / "bin/pip").is_file():
        venv.create(environment, with_pip=True, clear=True)
    pip = [environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    call([*pip, PIP], HERE)
    call([*pip, "--constraint", "requirements.txt", PARSER, *peers], HERE)
    done.write_text(wanted)


def need(program):
    found = shutil.which(program)
    if found is None:
        sys.exit(f"please install {program}, or leave out the peers that need it (--peers)")
    return found


def call(command, folder):
    command = [str(part) for part in command]
    if subprocess.run(command, cwd=folder, stdout=sys.stderr).returncode != 0:
        sys.exit(f"failed: {' '.join(command)} (in {folder})")
