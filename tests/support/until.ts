/** Waits until a condition holds, looking every few milliseconds; throws after limitMs. */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not come true within ${limitMs} ms: ${isSo.toString().slice(0, 200)}`)
    await new Promise((done) => setTimeout(done, 5))
  }
}
