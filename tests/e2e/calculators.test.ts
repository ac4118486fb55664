import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { build } from 'vite'
import type { CalculatorView } from '@outpost/contract/views'
import { calculatorNames, type CalculatorRun, type RuleChoice } from '@outpost/rules/calculators/index'
import { calm, goAway, launchBrowser, tooWide } from '../console/support/browser.ts'
import { signIn, type PersonOptions } from '../support/browser.ts'
import { calculatorInputs } from '../support/calculator-inputs.ts'
import { ways } from '../support/size.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { meet, enter } = usePeople()

const open = (path: string, { email = 'officer@sunrise.test', ...options }: Partial<PersonOptions> & { email?: string } = {}) =>
  enter(email, `/sales/calculators/${path}`, options)
const figure = (page: Page, label: string) =>
  page.locator('.calculator-result dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read)
const params = (page: Page) => new URL(page.url()).searchParams
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const pay = 'basicPay=60000&netPay=38000&rate=2&termMonths=12'

describe('the server and the console', () => {
  let own: Browser
  let sums: Page
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outpost-sums-'))
    const input = fileURLToPath(new URL('../console/support/calculator-entry.ts', import.meta.url))
    await build({
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder, rolldownOptions: { input, output: { entryFileNames: 'sums.js' } } },
    })
    own = await launchBrowser()
    sums = await own.newPage()
    await sums.addScriptTag({ content: await readFile(join(folder, 'sums.js'), 'utf8'), type: 'module' })
    await sums.waitForFunction(() => 'runCalculator' in globalThis)
  })
  afterAll(async () => {
    await own.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(calculatorNames.flatMap((name) => (['sunrise', 'baobab'] as const).map((company) => [name, company] as const)))(
    'make the same of 100 inputs: %s at %s',
    async (name, company) => {
      const call = await callAs(url, `officer@${company}.test`)
      const { view } = (await call('GET', `/api/console/screens/sales-calculators-${name}`)).body['data'] as { view: CalculatorView }
      const { at } = (await call('GET', `/api/calculators/${name}`)).body['data'] as { at: string }
      const choice: RuleChoice = { country: view.country, at, ruleSets: view.ruleSets }
      const inputs = JSON.parse(JSON.stringify(fc.sample(calculatorInputs(name, choice), { numRuns: 100 }))) as Record<string, unknown>[]
      const onServer: CalculatorRun[] = []
      for (const few of Array.from({ length: inputs.length / 4 }, (_, index) => inputs.slice(4 * index, 4 * index + 4))) {
        onServer.push(
          ...(await Promise.all(
            few.map(async (one) => {
              const answer = await call('POST', view.run.path, { inputs: one })
              expect(answer.status, answer.text).toBe(200)
              return (answer.body['data'] as { run: CalculatorRun }).run
            }),
          )),
        )
      }
      const inBrowser = await sums.evaluate(
        ({ name: sum, all, rules }) => {
          const { runCalculator } = globalThis as unknown as { runCalculator: (sum: string, inputs: object, choice: object) => unknown }
          return all.map((one) => runCalculator(sum, one, rules))
        },
        { name, all: inputs, rules: choice as object },
      )
      expect(inBrowser).toEqual(onServer)
      expect(new Set(onServer.map(({ result }) => JSON.stringify(result))).size).toBeGreaterThan(50)
    },
  )
})

describe('a calculator', () => {
  it('follows what is typed, also without a network, and its address brings everything back', async () => {
    const person = await open('cs-affordability')
    const { page } = person
    await page.getByText('Still needed: Basic pay; Net pay').waitFor()
    await field(page, 'Basic pay').fill('60000')
    person.allow(/ERR_INTERNET_DISCONNECTED/, 'told after the network is back')
    await person.setOffline(true)
    await field(page, 'Net pay').fill('39000')
    await field(page, 'Interest').fill('2')
    await field(page, 'Term in months').fill('12')
    await soon(() => figure(page, 'Largest loan in cash').innerText()).toMatch(/KES\s190,356\.14/)
    await page.getByText('39,000.00 − 20,000.00').waitFor()
    expect(await page.getByRole('button', { name: 'PDF' }).isDisabled()).toBe(true)
    await person.setOffline(false)
    await soon(async () => params(page).get('termMonths')).toBe('12')
    expect(params(page).get('netPay')).toBe('39000')
    expect(params(page).get('ratePeriod')).toBeNull()
    await page.reload()
    await soon(() => figure(page, 'Largest loan in cash').innerText()).toMatch(/KES\s190,356\.14/)
    await page.getByRole('button', { name: 'Reset' }).click()
    await soon(async () => [...params(page).keys()].length).toBe(0)
    expect(await field(page, 'Basic pay').inputValue()).toBe('')
    await page.goBack()
    expect(params(page).get('basicPay')).toBe('60000')
  })

  it('compares two scenarios and swaps them', async () => {
    const { page } = await open(`cs-affordability?${pay}`)
    await page.getByRole('button', { name: 'Compare' }).click()
    const table = page.getByRole('region', { name: 'Compared' })
    await table.waitFor()
    await field(page, 'Net pay').fill('30000')
    const row = table.getByRole('row', { name: /^Affordable a month/ })
    await soon(() => row.innerText()).toMatch(/17,000\.00\s+9,000\.00\s+-8,000\.00/)
    await table.getByRole('button', { name: 'Swap' }).click()
    await soon(() => row.innerText()).toMatch(/9,000\.00\s+17,000\.00\s+\+8,000\.00/)
    expect(await field(page, 'Net pay').inputValue()).toBe('38,000')
    await soon(async () => params(page).get('netPay')).toBe('38000')
    await page.reload()
    await soon(() => row.innerText()).toMatch(/9,000\.00\s+17,000\.00/)
    await table.getByRole('button', { name: 'End comparison' }).click()
    await table.waitFor({ state: 'detached' })
  })

  it('gives a letter and a text', async () => {
    const person = await open(`cs-affordability?${pay}`)
    const { page, context } = person
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PDF' }).click()
    expect((await download).suggestedFilename()).toMatch(/^cs-affordability-\d{4}-\d\d-\d\d\.pdf$/)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy as text' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/Civil servant affordability.*\nPASS\n/)
  })

  it('keeps the result with a lead', async () => {
    const { page } = await open(`cs-affordability?${pay}`)
    await page.getByRole('button', { name: 'Save to a lead' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save to a lead' })
    await dialog.getByLabel('Lead').click()
    const first = page.locator('.ant-select-item-option').first()
    await first.click()
    const saved = page.waitForResponse((response) => response.url().endsWith('/affordability') && response.request().method() === 'POST')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const { data } = (await (await saved).json()) as { data: { run: CalculatorRun; lead: Record<string, unknown> } }
    expect(data.run.result).toMatchObject({ affordability: '17000.00', maxLoan: '179780.80' })
    expect(data.lead).toMatchObject({ affordabilityOutcome: 'PASS', totalAffordability: 17_000 })
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Affordability: PASS').waitFor()
  })

  it('keeps the result with the client it was opened for', async () => {
    const { page } = await open('cs-affordability')
    const call = await callAs(url, 'officer@sunrise.test')
    const filter = encodeURIComponent(JSON.stringify([{ field: 'type', op: 'in', value: ['Civil servant', 'Individual'] }]))
    const { clients } = (await call('GET', `/api/clients?size=1&filter=${filter}`)).body['data'] as { clients: { Id: string }[] }
    const id = clients[0]?.Id
    await goAway(page, `/clients/${id}/view`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Assess' }).click()
    await page.waitForURL(`**/sales/calculators/cs-affordability?client=${id}`)
    await page.goto(`/sales/calculators/cs-affordability?${pay}&client=${id}`)
    await page.getByRole('button', { name: 'Save to a client' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save to a client' })
    const saved = page.waitForResponse((response) => response.url().endsWith(`/api/clients/${id}/affordability`))
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
    await page.getByText('Affordability: PASS').waitFor()
    const { runs } = (await call('GET', `/api/clients/${id}/affordability-runs`)).body['data'] as { runs: object[] }
    expect(runs[0]).toMatchObject({ outcome: 'PASS', calculator: 'cs-affordability' })
  })

  it('takes the months of a business from a spreadsheet', async () => {
    const { page } = await open('sme-affordability?rate=2&termMonths=12')
    await page.getByLabel('Sales, month 1', { exact: true }).focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text', '100,000\t40,000\t10,000\n100,000\t40,000\t10,000\n100,000\t40,000\t10,000\n100,000\t40,000\t10,000\n')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    expect(await page.getByLabel('Cost of sales, month 4', { exact: true }).inputValue()).toBe('40,000')
    await soon(() => figure(page, 'Net operating income a month').innerText()).toMatch(/KES\s50,000\.00/)
    await page.getByRole('button', { name: 'Remove month 4' }).click()
    expect(await page.getByRole('button', { name: 'Remove month 3' }).isDisabled()).toBe(true)
  })

  it.each(ways)('is accessible with everything open, $scheme at $width px', async (way) => {
    const person = await open('cs-affordability?grossPay=60000&statutory=9000&livingExpenses=100&rate=2&termMonths=36', {
      email: 'officer@baobab.test',
      ...way,
    })
    const { page } = person
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Rules in force').click()
    await page.getByText('above', { exact: false }).first().waitFor()
    await expectSound(person, 'rules and comparison')
    await page.getByRole('button', { name: 'Save to a lead' }).click()
    await page.getByRole('dialog').getByLabel('Lead').waitFor()
    await expectSound(person, 'choice of a lead')
  })

  it('of each kind fits 360 px', async () => {
    const inputs = `${pay}&insuredValue=1200000&loanAmount=400000&netIncome=90000&livingExpenses=9000&marketValue=900000&modelYear=2016`
    const [first, ...others] = calculatorNames
    const { page } = await open(`${first}?${inputs}`, { width: 360, height: 760 })
    expect({ name: first, tooWide: await tooWide(page) }).toEqual({ name: first, tooWide: [] })
    for (const name of others) {
      await goAway(page, `/sales/calculators/${name}?${inputs}`)
      await calm(page)
      expect({ name, tooWide: await tooWide(page) }).toEqual({ name, tooWide: [] })
    }
  })
})

describe('rules of a company', () => {
  it('are entered by an administrator and count at once', async () => {
    const person = await meet({ width: 1440, height: 900 })
    const { page } = person
    person.allow(/422/, 'a share above the whole is refused')
    await signIn(person, 'admin@copper.test')
    await page.goto('/admin/calculators')
    await page.getByRole('button', { name: 'New rules: Civil servant affordability' }).click()
    await field(page, 'Share of pay that stays').fill('5/4')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('may not be more than the whole').waitFor()
    await field(page, 'Share of pay that stays').fill('1/2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/admin\/calculators\/rules\//)
    await page
      .getByText(/samples? changes?|no assessment/i)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Effect on a sample', exact: true }).click()
    await page.getByRole('region', { name: 'Effect on a sample' }).locator('tbody tr, li').first().waitFor()
    await expectSound(person, 'effect of rules')
    await page.goto('/sales/calculators/cs-affordability?netPay=10000&rate=2&termMonths=12')
    await page.getByText('10,000.00 × 1/2').waitFor()
    await page.getByText('not confirmed').first().waitFor()
    await expectSound(person, 'own rules')
    await page.goto('/admin/calculators')
    await settle(person)
    await expectSound(person, 'list of rules')
  })
})
