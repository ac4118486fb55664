import { expect, test } from 'vitest'
import { snapped } from './snap.ts'

// A thousandth of a degree is ten pixels; y grows to the south.
const project = (lng: number, lat: number) => ({ x: lng * 10_000, y: -lat * 10_000 })
const unproject = (x: number, y: number) => ({ lng: x / 10_000, lat: -y / 10_000 })
const options = { project, unproject }
const yard = {
  corners: [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 0.1 },
    { lat: 0.1, lng: 0.1 },
  ],
  isClosed: true,
}
const snap = (lat: number, lng: number, lines = [yard]) => snapped(lines, { lat, lng }, options)

test('a corner in reach attracts, even where an edge is nearer', () => {
  expect(snap(0.0002, 0.0008)).toEqual({ lat: 0, lng: 0 })
  expect(snap(-0.0005, 0.1005)).toEqual({ lat: 0, lng: 0.1 })
})

test('an edge attracts to its nearest place, the closing one too', () => {
  const onEdge = snap(-0.001, 0.05)
  expect(onEdge?.lat).toBeCloseTo(0, 9)
  expect(onEdge?.lng).toBeCloseTo(0.05, 9)
  const onClosing = snap(0.0505, 0.05)
  expect(onClosing?.lat).toBeCloseTo(0.05025, 9)
  expect(snap(0.0505, 0.05, [{ ...yard, isClosed: false }])).toBeUndefined()
})

test('out of reach nothing attracts', () => {
  expect(snap(-0.0013, 0.05)).toBeUndefined()
  expect(snap(0.05, 0.08)).toBeUndefined()
  expect(snap(0, 0, [])).toBeUndefined()
})
