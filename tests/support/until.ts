const stepMs = 5

/**
 * Waits until a condition holds, looking every few milliseconds; throws after limitMs. A machine that stands still or gives the
 * processor to others for a while waits no shorter for it: between two looks, at most ten steps count.
 */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  for (let waited = 0; ;) {
    const begun = performance.now()
    if (await isSo()) return
    if (waited > limitMs) throw new Error(`It did not come true within ${limitMs} ms: ${isSo.toString().slice(0, 200)}`)
    const looked = performance.now()
    await new Promise((done) => setTimeout(done, stepMs))
    waited += looked - begun + Math.min(performance.now() - looked, stepMs * 10)
  }
}
