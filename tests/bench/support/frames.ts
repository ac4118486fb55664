import type { Page } from 'playwright'
import { rounded } from './figure.ts'

export interface Frames {
  fps: number
  worst: number
  p95: number
}

/** Frames a second of the page while something is done to it, and the longest and 95th gap between two in milliseconds. */
export async function framesWhile(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { frameTimes: times, framesRun: true })
    const note = (time: number) => {
      times.push(time)
      if ((window as unknown as { framesRun: boolean }).framesRun) requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await work()
  const times = await page.evaluate(() => {
    const seen = window as unknown as { frameTimes: number[]; framesRun: boolean }
    seen.framesRun = false
    return seen.frameTimes
  })
  const gaps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .toSorted((a, b) => a - b)
  const fps = (1000 * (times.length - 1)) / ((times.at(-1) ?? 0) - (times[0] ?? 0))
  return { fps: rounded(fps), worst: Math.round(gaps.at(-1) ?? 0), p95: Math.round(gaps[Math.floor(gaps.length * 0.95)] ?? 0) }
}

/** Presses the pointer and leads it along the way, some milliseconds a step, as a hand does. */
export async function dragAlong(page: Page, way: readonly (readonly [x: number, y: number])[], stepMs = 16): Promise<void> {
  const [first, ...rest] = way
  if (!first) return
  await page.mouse.move(...first)
  await page.mouse.down()
  for (const [x, y] of rest) {
    await page.mouse.move(x, y)
    await page.waitForTimeout(stepMs)
  }
  await page.mouse.up()
}

/** Places between two, both included. */
export const between = ([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], steps: number): [number, number][] =>
  Array.from({ length: steps + 1 }, (_, index) => [x1 + ((x2 - x1) * index) / steps, y1 + ((y2 - y1) * index) / steps])
