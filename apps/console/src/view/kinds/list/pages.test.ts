import { describe, expect, it } from 'vitest'
import { isGap, layPages, pagesAround } from './pages.ts'

const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ Id: `r${from + i}` }))
const page = (number: number, count: number, total: number, estimated = false) => ({
  rows: rows((number - 1) * 10, count),
  meta: { page: number, size: 10, total, ...(estimated ? { estimated } : {}) },
  source: 'server' as const,
})

describe('the places of a list', () => {
  it('are all there, loaded pages filled in', () => {
    const laid = layPages(
      new Map([
        [1, page(1, 10, 35)],
        [4, page(4, 5, 35)],
      ]),
      10,
    )
    expect(laid.rows).toHaveLength(35)
    expect(laid.rows.map((row) => isGap(row))).toEqual([
      ...Array<boolean>(10).fill(false),
      ...Array<boolean>(20).fill(true),
      ...Array<boolean>(5).fill(false),
    ])
    expect(laid.rows[12]).toEqual({ isGap: true, index: 12, page: 2 })
  })

  it('end where a page came short, whatever was estimated', () => {
    expect(layPages(new Map([[1, page(1, 10, 10_001, true)]]), 10)).toMatchObject({ total: 10_001, isEstimated: true })
    expect(
      layPages(
        new Map([
          [1, page(1, 10, 10_001, true)],
          [3, page(3, 4, 10_001, true)],
        ]),
        10,
      ),
    ).toMatchObject({ total: 24, isEstimated: false })
  })

  it('are cut at a hundred thousand', () => {
    const laid = layPages(new Map([[1, page(1, 10, 250_000)]]), 10)
    expect([laid.rows.length, laid.isCut, laid.total]).toEqual([100_000, true, 250_000])
  })

  it('ask for the pages on the screen only', () => {
    expect(pagesAround(0, 15, 100, 10_000)).toEqual([1])
    expect(pagesAround(95, 110, 100, 10_000)).toEqual([1, 2])
    expect(pagesAround(9_990, 10_005, 100, 10_000)).toEqual([100])
  })
})
