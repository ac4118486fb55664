import { expect, test } from 'vitest'
import { blurred, pictureOf } from './picture.ts'

const nairobi = { latitude: -1.2864, longitude: 36.8172 }

test('a blurred place is the same for all places near it, and within its metres', () => {
  const one = blurred(nairobi, 1_000)
  const metres = (a: number, b: number) => Math.abs(a - b) * 111_320
  expect(metres(one.latitude, nairobi.latitude)).toBeLessThanOrEqual(500)
  expect(metres(one.longitude, nairobi.longitude)).toBeLessThanOrEqual(501)
  expect(blurred({ latitude: one.latitude + 0.002, longitude: one.longitude - 0.002 }, 1_000)).toEqual(one)
  expect(blurred(nairobi, 0)).toEqual(nairobi)
})

test('the picture holds the mark in its middle, the way behind it, and no text but an escaped name', () => {
  const svg = pictureOf({
    place: nairobi,
    course: 90,
    blurMetres: 0,
    trail: [{ latitude: -1.29, longitude: 36.8172 }],
    words: '<b>CBD</b>',
  })
  expect(svg).toContain('rotate(90)')
  expect(svg).toContain('&lt;b&gt;CBD&lt;/b&gt;')
  expect(svg).toMatch(/<polyline class="map-trail" points="220\.0,\d+\.\d 220\.0,150\.0"/)
  expect(svg).not.toMatch(/style=|<script|href/)
  expect(pictureOf({ place: nairobi, course: 90, blurMetres: 800, trail: [], words: null })).toContain('map-haze')
})
