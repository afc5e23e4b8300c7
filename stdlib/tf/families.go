package tf

// The tables of the functions by family.
func init() {
	tables = append(tables, arrayRows, mathRows, reduceRows, nnRows, randomRows, printRows, nestRows, hostRows, generatorRows, einsumRows, stringRows, configRows)
}
