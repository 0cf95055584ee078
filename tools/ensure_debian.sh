#!/usr/bin/env bash
# Install the named Debian packages that are missing, or say what to install.
#
# usage: tools/ensure_debian.sh PACKAGE...
set -euo pipefail

missing=()
for package in "$@"; do
    # A package that was removed is still known, so its status has to be read.
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" \
        2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "missing: ${missing[*]}" >&2
    echo "    fix: sudo apt-get install ${missing[*]}" >&2
    echo "    (elsewhere: install what these Debian packages hold)" >&2
    exit 2
fi

export DEBIAN_FRONTEND=noninteractive
# Someone else may be installing: wait for them.
wait=(-o DPkg::Lock::Timeout=300)
apt-get "${wait[@]}" update --quiet=2
apt-get "${wait[@]}" install --quiet=2 --yes --no-install-recommends \
    "${missing[@]}" >/dev/null
