# shellcheck shell=bash disable=SC2016
# Hosts that share nothing but a network, for `scripts/apart`: namespaces behind a switch.
#
# A host is a process that sleeps, with its own network, name, and mounts: `$hosts_dir/disk` and
# `$hosts_dir/tmp` are its own. Host H has the address 10.99.0.(H + 1), and port H of the switch, which
# has namespaces of its own, so that nothing of the machine's network is touched. All that is there ends
# with the processes. Needs root and iproute2.

# Whether this machine allows any of that.
hosts_allowed() {
    [ "$(id -u)" = 0 ] && command -v ip tc nsenter >/dev/null &&
        unshare --net --mount --uts bash -c 'ip link add name one type bridge && ip link add two type veth peer name three &&
            tc qdisc add dev two root tbf rate 1gbit burst 256kb latency 50ms && mount -t tmpfs none /mnt' 2>/dev/null
}

# Starts a process with namespaces of its own: spawn NAME
spawn() {
    unshare --net --mount --uts sleep infinity &
    echo $! >"$hosts_dir/$1"
    until [ "$(readlink "/proc/$!/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
    on "$1" hostname "$1"
}

# Runs a command on a host: on NAME COMMAND…
on() { nsenter --net --mount --uts --target "$(cat "$hosts_dir/$1")" "${@:2}"; }

# Starts so many hosts, with what they keep in DIR: hosts_start COUNT DIR
hosts_start() {
    local host
    hosts_dir=$2
    mkdir "$hosts_dir/disk" "$hosts_dir/tmp"
    spawn switch
    on switch ip link add name bridge type bridge
    on switch ip link set bridge up
    for ((host = 0; host < $1; host++)); do start_host "$host"; done
    # Open MPI calls this with an address and the command that is to run there.
    printf '#!/bin/bash\nexec nsenter --net --mount --uts --target "$(<%s/host${1##*.})" bash -c "${*:2}"\n' \
        "$hosts_dir" >"$hosts_dir/agent"
    chmod +x "$hosts_dir/agent"
}

start_host() {
    local own name=host$(($1 + 1))
    spawn "$name"
    on switch ip link add "port$1" type veth peer name eth0 netns "$(cat "$hosts_dir/$name")"
    on switch ip link set "port$1" master bridge up
    on "$name" ip link set lo up
    on "$name" ip address add "10.99.0.$(($1 + 1))/24" dev eth0
    on "$name" ip link set eth0 up
    for own in "$hosts_dir/disk" "$hosts_dir/tmp" /dev/shm; do on "$name" mount -t tmpfs none "$own"; done
}

# Ends all that runs on hosts, and so the hosts.
hosts_end() {
    # Its words name a directory that nobody else has.
    pgrep -f "$hosts_dir/" | xargs -r kill -KILL 2>/dev/null || true
    for name in "$hosts_dir"/{switch,host?}; do kill "$(<"$name")" 2>/dev/null || true; done
}

# Runs a command on the host of a number: at HOST COMMAND…
at() { on "host$(($1 + 1))" "${@:2}"; }

# Holds all links to a rate, both ways: links_rate RATE HOSTS
links_rate() {
    local host limit=(root tbf rate "$1" burst 256kb latency 50ms)
    for ((host = 0; host < $2; host++)); do
        on switch tc qdisc replace dev "port$host" "${limit[@]}"
        at "$host" tc qdisc replace dev eth0 "${limit[@]}"
    done
}

# Prints what a host has sent: bytes and packets.
link_sent() { at "$1" awk '$1 == "eth0:" { print $10, $11 }' /proc/net/dev; }
