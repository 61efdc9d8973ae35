-- The request of benches/http_floor.sh: one middlegame position, as a client would send it.
wrk.method = "POST"
wrk.body = '{"fen":"r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8","pov":"white"}'
wrk.headers["Content-Type"] = "application/json"

-- An error would be answered faster than an evaluation: it must not count.
function done(summary)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format("RESULT %.0f %d\n", summary.requests / summary.duration * 1e6, failed))
end
