import type { Page } from 'playwright'

/** Counts the processor time of the page's main thread from now on, in seconds: what a busy machine does not change. */
export async function countThreadTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await taken()
  return async () => (await taken()) - before
}
