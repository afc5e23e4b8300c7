package lang

import "testing"

// TestDictDeletedPlaces: keys that come and go leave no index without an empty
// place, in which a missing key would be looked for for ever.
func TestDictDeletedPlaces(t *testing.T) {
	d := NewDict()
	for i := range int64(10) {
		_ = d.Put(nil, Int(i), None)
	}
	for i := int64(100); i < 3000; i++ {
		_ = d.Put(nil, Int(i), None)
		if _, ok, _ := d.Delete(nil, Int(i)); !ok || len(d.idx.at) > 64 {
			t.Fatalf("after %d: found %v, %d places", i, ok, len(d.idx.at))
		}
	}
	if d.Len() != 10 {
		t.Error(d.Len())
	}
}
