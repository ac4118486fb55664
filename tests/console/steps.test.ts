import { expect, it } from 'vitest'
import { waysAt } from '../support/size.ts'
import { calm, tooWide } from './support/browser.ts'
import { takeShifts, watchShifts } from '../e2e/support/shifts.ts'
import { lead, rows, useLeads, violations } from './support/leads.ts'

const open = useLeads()

it.each(waysAt(1280, 360))(
  'a record shows its states as steps, with date and person, by keyboard too ($scheme, $width px)',
  async (way) => {
    const { page } = await open(`/sales/leads/${lead(3)}/view`, { ...way, height: 740 })
    const steps = page.getByRole('region', { name: 'Steps' })
    const isPhone = way.width < 768
    await (isPhone ? steps.getByText('Step 3 of 9: Contacted') : steps.getByRole('group', { name: 'Step 3 of 9: Contacted' })).waitFor()
    if (isPhone) {
      await steps.locator('summary').focus()
      await page.keyboard.press('Enter')
    }
    await steps.getByText('Consent requested').waitFor()
    expect(await steps.locator('[aria-current=step]').allTextContents()).toEqual(['Contacted'])
    expect(await steps.locator('.record-step').count()).toBe(9)
    expect(await steps.getByText('Amina Otieno').isVisible()).toBe(true)
    expect(await steps.locator('time').count()).toBe(2)
    expect(await steps.getByText('Skipped').count()).toBe(1)
    expect({ found: await violations(page), tooWide: await tooWide(page) }).toEqual({ found: [], tooWide: [] })
  },
)

const waiting = {
  who: 'Amina Otieno',
  since: '2026-11-20T08:00:00Z',
  what: 'Amount: 40,000 → 60,000; Term: 6 months → 12 months',
  moves: ['Approved', 'Declined by credit'],
  mayDecide: true,
}
const steps = ['New', 'Contacted', 'Submitted'].map((label, at) => ({ label, is: at < 2 ? 'passed' : 'current' }))

it.each(waysAt(1440, 320))('a history that comes late or not at all moves nothing of the record ($scheme, $width px)', async (way) => {
  const { page, context } = await open('/sales/leads', { ...way, height: 800 })
  await rows(page).or(page.locator('.record-card')).first().waitFor()
  let answer = () => {}
  const isAnswered = new Promise<void>((done) => (answer = done))
  await context.route('**/timeline', async (route) => {
    await isAnswered
    await route.fulfill({ json: { success: true, data: { steps, waiting, timeline: [] } } })
  })
  await watchShifts(context)
  await page.goto(`/sales/leads/${lead(3)}/view`)
  await page.getByText('Instalment', { exact: true }).first().waitFor()
  await calm(page)
  expect(await takeShifts(page)).toBeNull()
  answer()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('Waits for your decision: Approved, Declined by credit').waitFor()
  await history.getByText('Step 3 of 3: Submitted').waitFor()
  await calm(page)
  expect(await takeShifts(page)).toBeNull()
  await history.locator('summary').click()
  await history.getByText('Contacted').waitFor()
  expect({ found: await violations(page), tooWide: await tooWide(page) }).toEqual({ found: [], tooWide: [] })
  await page.goto('/sales/leads')
})
