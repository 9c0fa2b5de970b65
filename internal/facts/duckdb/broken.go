package duckdb

import "context"

// BrokenFile is a current file that is missing or not what was published.
type BrokenFile struct {
	Name, SHA256 string
	Damage       error
}

// Broken reads all current files of a folder, and lists those that are not whole.
func Broken(ctx context.Context, dir string) (all []BrokenFile, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		_, files, err := m.current(ctx)
		for _, f := range files {
			if damage := f.whole(ctx, dir, nil); damage != nil {
				all = append(all, BrokenFile{f.name, f.sha256, damage})
			}
		}
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return all, err
}
