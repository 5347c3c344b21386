# Runs steps that depend on each other, several at a time. Sourced by ./test; needs bash 5.1.
#
#   step NAME [after NAME...] [uses RESOURCE] -- COMMAND...
#   run_steps
#
# A step starts when those it comes after have passed. Steps that use the same resource run one after the other, and a
# step that uses `all` runs alone. Output goes to a log for each step; the log of a step that fails is printed.

logs=target/steps
declare -a step_names=()
declare -A step_after=() step_resource=() step_command=() step_state=() step_seconds=()
declare -A started_at=() name_of_job=()

step() {
  local name=$1 field=
  shift
  step_names+=("$name")
  step_after[$name]= step_resource[$name]= step_state[$name]=waiting
  while [ "$1" != -- ]; do
    case $1 in
    after | uses) field=$1 ;;
    *)
      if [ "$field" = uses ]; then
        step_resource[$name]=$1
      elif [ -n "${step_state[$1]:-}" ]; then
        step_after[$name]+="$1 "
      else
        echo "$name comes after $1, which is not declared before it" >&2
        exit 2
      fi
      ;;
    esac
    shift
  done
  shift
  step_command[$name]=$(printf '%q ' "$@")
}

# Whether a step can start now: ready, waiting, or blocked because a step that it needs did not pass.
readiness_of() {
  local name=$1 before other
  for before in ${step_after[$name]}; do
    case ${step_state[$before]} in
    passed) ;;
    failed | blocked) echo blocked && return ;;
    *) echo waiting && return ;;
    esac
  done
  for other in "${name_of_job[@]}"; do
    if [ "${step_resource[$name]}" = all ] || [ "${step_resource[$other]}" = all ] ||
      { [ -n "${step_resource[$name]}" ] && [ "${step_resource[$name]}" = "${step_resource[$other]}" ]; }; then
      echo waiting && return
    fi
  done
  echo ready
}

clock() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

start_step() {
  local name=$1
  printf '%6s  started  %s\n' "$(clock)" "$name"
  (eval "${step_command[$name]}") >"$logs/$name.log" 2>&1 </dev/null &
  name_of_job[$!]=$name
  step_state[$name]=running
  started_at[$name]=$SECONDS
}

# Starts what can start. Steps are tried in the order in which they are declared.
start_steps() {
  local name
  for name in "${step_names[@]}"; do
    [ "${step_state[$name]}" = waiting ] || continue
    case $(readiness_of "$name") in
    blocked) step_state[$name]=blocked ;;
    ready) [ ${#name_of_job[@]} -ge "$1" ] || start_step "$name" ;;
    esac
  done
}

end_step() {
  local name=${name_of_job[$1]} status=$2
  unset "name_of_job[$1]"
  step_seconds[$name]=$((SECONDS - started_at[$name]))
  if [ "$status" = 0 ]; then
    step_state[$name]=passed
    printf '%6s  passed   %s (%d s)\n' "$(clock)" "$name" "${step_seconds[$name]}"
    return
  fi
  step_state[$name]=failed
  printf '\n== %s failed with status %d. Its command: %s\n' "$name" "$status" "${step_command[$name]}"
  cat "$logs/$name.log"
  printf '== end of the log of %s\n\n' "$name"
}

# The names of the steps in a state, on one line.
steps_in_state() {
  local name found=()
  for name in "${step_names[@]}"; do
    [ "${step_state[$name]}" != "$1" ] || found+=("$name")
  done
  echo "${found[*]}"
}

print_summary() {
  local name
  printf '\nSeconds by step, of %s minutes:\n' "$(clock)"
  for name in "${!step_seconds[@]}"; do
    printf '%6d  %s\n' "${step_seconds[$name]}" "$name"
  done | sort -rn
  # Tests that pass are silent, so what was skipped has to be repeated here.
  grep -rhE '\bSKIPPED\b' "$logs" | sort -u || true
}

stop_jobs() {
  local job
  for job in "${!name_of_job[@]}"; do
    kill -- "-$job" 2>/dev/null || true
  done
}

# Runs all steps, as many at a time as there are cores (2 to 4). Returns 1 if one of them did not pass.
run_steps() {
  local lanes job status
  lanes=$(nproc 2>/dev/null || echo 2)
  lanes=$((lanes < 2 ? 2 : lanes > 4 ? 4 : lanes))
  rm -rf "$logs"
  mkdir -p "$logs"
  # Each step in a process group of its own, so that nothing it started is left behind.
  set -m
  trap stop_jobs EXIT
  trap 'exit 130' INT TERM
  start_steps "$lanes"
  while [ ${#name_of_job[@]} -gt 0 ]; do
    status=0
    wait -n -p job "${!name_of_job[@]}" || status=$?
    end_step "$job" "$status"
    start_steps "$lanes"
  done
  print_summary
  if [ -n "$(steps_in_state failed)" ]; then
    [ -z "$(steps_in_state blocked)" ] || echo "not run: $(steps_in_state blocked)"
    echo "FAILED: $(steps_in_state failed)"
    return 1
  fi
}
