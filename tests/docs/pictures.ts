import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright'
import { openHouse } from '../bench/support/house.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { settle } from '../e2e/support/look.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { buildConsole } from '../../scripts/start/build-console.ts'

const folder = resolve(import.meta.dirname, '../../docs/public/pictures')
const mostBytes = 150_000

interface Picture {
  name: string
  as: string
  path: string
  width: number
  height: number
  /** Is there when the page shows what it is about. */
  awaits: string
}

const pictures: readonly Picture[] = [
  { name: 'leads', as: 'officer@sunrise.test', path: '/sales/leads', width: 1_280, height: 640, awaits: '.ant-table-row' },
  { name: 'phone', as: 'officer@sunrise.test', path: '/', width: 390, height: 760, awaits: '.o-layout h1, .o-layout h2' },
  { name: 'reference', as: 'admin@sunrise.test', path: '/reference', width: 1_180, height: 680, awaits: 'h1, h2' },
]

/** Takes the pictures of the docs from the demo, as it is now (`npm run docs:pictures`); they are committed, small, and few. */
async function main(): Promise<void> {
  await buildConsole()
  await mkdir(folder, { recursive: true })
  const house = await openHouse()
  const browser = await launchBrowser()
  try {
    for (const picture of pictures) await take(browser, house.url, picture)
  } finally {
    await browser.close()
    await house.close()
  }
}

async function take(browser: Browser, url: string, { name, as, path, width, height, awaits }: Picture): Promise<void> {
  const person = await openPerson(browser, { url, width, height })
  const { page } = person
  // The machine may be busy; nobody waits for this but the script.
  page.setDefaultTimeout(120_000)
  // The reference is a page of the server: one signs in to the console before it.
  await signInFor(person, as, path.startsWith('/reference') ? '/' : path)
  if (path.startsWith('/reference')) await page.goto(path)
  await page.locator(awaits).first().waitFor()
  if (path.startsWith('/reference')) await page.waitForLoadState('networkidle')
  else await settle(person)
  const bytes = await page.screenshot({ animations: 'disabled', timeout: 120_000 })
  if (bytes.length > mostBytes) throw new Error(`${name}.png has ${bytes.length} bytes: make the window smaller`)
  await writeFile(join(folder, `${name}.png`), bytes)
  console.log(`${name}.png ${bytes.length} bytes`)
  await person.context.close()
}

await main()
