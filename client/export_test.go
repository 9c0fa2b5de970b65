package client

// WithRandom replaces the randomness of waits, from 0 to below 1.
func WithRandom(f func() float64) Option { return func(c *Client) { c.random = f } }
