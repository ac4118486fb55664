/** Degrees between two lines, finest last; the zoom selects one so that lines are 100 to 250 px apart. */
const steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]

/** Step of the lines at a zoom, in degrees. */
export function stepAt(zoom: number): number {
  const degreesOf110px = (110 * 360) / (256 * 2 ** zoom)
  return [...steps].reverse().find((step) => step >= degreesOf110px) ?? 30
}

/** "1.25° S", "36.8° E": the label of a line, with as many digits as its step has. */
export function lineName(degrees: number, step: number, axis: 'lat' | 'lng'): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)))
  const side = degrees === 0 ? '' : axis === 'lat' ? (degrees > 0 ? ' N' : ' S') : degrees > 0 ? ' E' : ' W'
  return `${Math.abs(degrees).toFixed(digits)}°${side}`
}

/** Multiples of the step from one value (included) to another (excluded). */
export function between(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.ceil(to / step - 1e-9) - 1
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => Number(((first + index) * step).toFixed(6)))
}
