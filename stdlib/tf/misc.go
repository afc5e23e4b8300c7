package tf

import (
	"github.com/tfs-lang/tfs/lang"
)

// errorCodeNames are the integer constants of tf.errors, by their codes.
var errorCodeNames = []string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

func init() {
	var out []constant
	for code, name := range errorCodeNames {
		out = append(out, fixed("tf.errors."+name, lang.Int(int64(code))))
	}
	classConstants = append(classConstants, out...)
}

// configRows are what there is of tf.config: one CPU.
var configRows = []row{
	{names: "tf.test.is_gpu_available", sig: "is_gpu_available(cuda_only=False, min_cuda_compute_capability=None)", fn: objFn(func(*call) lang.Value { return lang.False })},
	{names: "tf.test.is_built_with_cuda tf.test.is_built_with_gpu_support tf.test.is_built_with_rocm", sig: "is_built_with_cuda()", fn: objFn(func(*call) lang.Value { return lang.False })},
	{names: "tf.test.gpu_device_name", sig: "gpu_device_name()", fn: objFn(func(*call) lang.Value { return lang.NewStr("") })},
	{names: "tf.config.threading.set_intra_op_parallelism_threads", sig: "set_intra_op_parallelism_threads(num_threads)", fn: nothing},
	{names: "tf.config.threading.set_inter_op_parallelism_threads", sig: "set_inter_op_parallelism_threads(num_threads)", fn: nothing},
	{names: "tf.config.threading.get_intra_op_parallelism_threads", sig: "get_intra_op_parallelism_threads()", fn: zero},
	{names: "tf.config.threading.get_inter_op_parallelism_threads", sig: "get_inter_op_parallelism_threads()", fn: zero},
	{names: "tf.config.experimental.enable_op_determinism", sig: "enable_op_determinism()", fn: nothing},
	{names: "tf.config.experimental.set_memory_growth", sig: "set_memory_growth(device, enable)", fn: nothing},
	{names: "tf.config.set_visible_devices", sig: "set_visible_devices(devices, device_type=None)", fn: nothing},
	{names: "tf.config.set_soft_device_placement", sig: "set_soft_device_placement(enabled)", fn: nothing},
	{names: "tf.config.get_soft_device_placement", sig: "get_soft_device_placement()", fn: objFn(func(*call) lang.Value { return lang.True })},
	{names: "tf.config.optimizer.set_jit", sig: "set_jit(enabled)", fn: nothing},
	{names: "tf.config.optimizer.set_experimental_options", sig: "set_experimental_options(options)", fn: nothing},
	{names: "tf.config.optimizer.get_experimental_options", sig: "get_experimental_options()", fn: objFn(func(*call) lang.Value { return lang.NewDict().Value() })},
	{names: "tf.config.optimizer.get_jit", sig: "get_jit()", fn: objFn(func(*call) lang.Value { return lang.NewStr("") })},
	{names: "tf.debugging.set_log_device_placement", sig: "set_log_device_placement(enabled)", fn: nothing},
	{names: "tf.no_op", sig: "no_op(name=None)", fn: nothing},
}

var (
	nothing = objFn(func(*call) lang.Value { return lang.None })
	zero    = objFn(func(*call) lang.Value { return lang.Int(0) })
)
