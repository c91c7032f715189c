# For scripts that compile for other machines: . scripts/cross.sh, with `target` set to a directory.
#
# Where a target's standard library is not installed, it is compiled from its sources (Debian: rustc-web,
# rust-web-src; or RUSTC_WITH_SOURCES names a compiler that has them).

has() { command -v "$1" >/dev/null; }

is_installed() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }

# A compiler that has the sources of its standard library.
with_sources() {
    local compiler
    for compiler in "${RUSTC_WITH_SOURCES:-rustc}" /usr/bin/rustc; do
        if has "$compiler" && [ -d "$("$compiler" --print sysroot)/lib/rustlib/src/rust/library" ]; then
            echo "$compiler"
            return
        fi
    done
    return 1
}

can_compile() { is_installed "$1" || with_sources >/dev/null; }

# The C compiler for a target.
compiler_of() {
    local name="CC_${1//-/_}" otherwise=cc
    case "$1" in x86_64-pc-windows-gnu) otherwise=x86_64-w64-mingw32-gcc ;; esac
    echo "${!name:-$otherwise}"
}

# Runs cargo for a target: cross TRIPLE COMMAND [ARGUMENT…]
cross() {
    local triple="$1" command="$2"
    shift 2
    if is_installed "$triple"; then
        cargo "$command" --target "$triple" --target-dir "$target" "$@"
    else
        local std=(-Zbuild-std=std,panic_abort)
        # Nothing there can say where it is.
        case "$triple" in wasm32-*) std+=(-Zbuild-std-features=) ;; esac
        RUSTC="$(with_sources)" RUSTC_BOOTSTRAP=1 cargo "$command" \
            "${std[@]}" --target "$triple" --target-dir "$target" "$@"
    fi
}

# Where Debian and others have wine.
wine="${WINE:-$(command -v wine64 || command -v wine || true)}"
[ -n "$wine" ] || [ ! -x /usr/lib/wine/wine64 ] || wine=/usr/lib/wine/wine64

# Makes wine ready to run programs, in `target` unless the environment says where.
prepare_wine() {
    local system="${WINEPREFIX:=$target/wine}/drive_c/windows/system32"
    export WINEPREFIX WINEDEBUG="${WINEDEBUG:--all}" XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"
    unset DISPLAY
    mkdir -p "$(dirname "$WINEPREFIX")"
    "$wine" reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null 2>&1 </dev/null
    # Rust's library asks Windows 10 for random bytes by a function that wine 8 does not have.
    [ -e "$system/bcryptprimitives.dll" ] || x86_64-w64-mingw32-gcc -shared -O -x c - -ladvapi32 \
        -o "$system/bcryptprimitives.dll" <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
    return SystemFunction036(bytes, (ULONG)length);
}
END
}

# The C compilers and linkers, unless the environment names others.
export CC_i686_unknown_linux_gnu="${CC_i686_unknown_linux_gnu:-i686-linux-gnu-gcc}"
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER="$CC_i686_unknown_linux_gnu"
export CC_aarch64_unknown_linux_gnu="${CC_aarch64_unknown_linux_gnu:-aarch64-linux-gnu-gcc}"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="$CC_aarch64_unknown_linux_gnu"
export CC_armv7_unknown_linux_gnueabihf="${CC_armv7_unknown_linux_gnueabihf:-arm-linux-gnueabihf-gcc}"
export CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER="$CC_armv7_unknown_linux_gnueabihf"
clang="$(compgen -c clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -1 || true)"
clang="${clang:-clang}"
export CC_wasm32_unknown_unknown="${CC_wasm32_unknown_unknown:-$clang}"
export AR_wasm32_unknown_unknown="${AR_wasm32_unknown_unknown:-llvm-ar${clang#clang}}"
is_installed wasm32-unknown-unknown || export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="wasm-ld${clang#clang}"
