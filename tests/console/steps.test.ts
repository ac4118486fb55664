import { expect, it } from 'vitest'
import { waysAt } from '../support/size.ts'
import { tooWide } from './support/browser.ts'
import { lead, useLeads, violations } from './support/leads.ts'

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
