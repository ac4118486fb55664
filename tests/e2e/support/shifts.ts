import type { BrowserContext, Page } from 'playwright'

/** What a screen may move while it comes to rest, as browsers sum it up. */
export const maxShift = 0.05

interface Shift {
  value: number
  what: string
}

/**
 * Watches what moves by itself on every page of the context. The side menu is left out: that it opens the group of a
 * screen follows the click that led there, and the walk goes without one.
 */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Source {
      node: Node | null
    }
    const shifts: Shift[] = []
    Object.assign(window, { layoutShifts: shifts })
    const elementOf = ({ node }: Source) => (node instanceof Element ? node : node?.parentElement) ?? null
    const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
    const note = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEntry & { value: number; sources: Source[] })[]) {
        const moved = entry.sources.map(elementOf).filter((element) => element !== null && !element.closest('.o-menu'))
        if (moved.length > 0) shifts.push({ value: entry.value, what: moved.map((element) => element && nameOf(element)).join(', ') })
      }
    }
    const observer = new PerformanceObserver((list) => note(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // The browser reports shifts a task later: whoever asks gets them now, or it would count for the next screen.
    Object.assign(window, { noteShifts: () => note(observer.takeRecords()) })
  })
}

/** How much has moved since the last question, and what; nothing when it was no more than `maxShift`. */
export async function takeShifts(page: Page): Promise<string | null> {
  const shifts = await page.evaluate(async () => {
    const own = window as unknown as { layoutShifts: Shift[]; noteShifts: () => void }
    // A window of another size is laid out by the next frame and reported after it.
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((done) => {
        requestAnimationFrame(done)
      })
    own.noteShifts()
    return own.layoutShifts.splice(0)
  })
  const sum = shifts.reduce((whole, { value }) => whole + value, 0)
  return sum > maxShift
    ? `${sum.toFixed(3)}: ${shifts
        .filter(({ value }) => value > 0.005)
        .map(({ what }) => what)
        .join('; ')}`
    : null
}
