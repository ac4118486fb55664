import { expect, inject } from 'vitest'

/**
 * A link of the newest letter to somebody that holds one, read at /dev/mail as soon as it is there. Not by a browser:
 * Chromium now and then reports a page without scripts as a fault.
 */
export async function mailedLink(to: string, pattern: RegExp): Promise<string> {
  const read = async (path: string) => (await fetch(new URL(path, inject('outpostUrl')))).text()
  const find = async (): Promise<string | undefined> => {
    for (const [, path = ''] of (await read('/dev/mail')).matchAll(/href="(\/dev\/mail\/[^"]+)"/g)) {
      const letter = await read(path)
      const link = letter.includes(to) ? pattern.exec(letter)?.[0] : undefined
      if (link !== undefined) return link
    }
    return undefined
  }
  let found: string | undefined
  await expect.poll(async () => (found = await find()), { timeout: 20_000, interval: 500 }).toBeTruthy()
  return String(found)
}
