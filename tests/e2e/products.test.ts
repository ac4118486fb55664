import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { nextStep } from './support/form.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

/** Chooses an option, the first where none is named; gives its words. */
async function choose(page: Page, field: string, option?: string): Promise<string> {
  await page.getByRole('combobox', { name: field }).click()
  if (option !== undefined) await page.keyboard.type(option)
  const found = page.locator('.ant-select-item-option:visible')
  const chosen = option === undefined ? found.first() : found.filter({ hasText: option }).first()
  const words = await chosen.innerText()
  await chosen.click()
  return words.split('\n')[0] ?? words
}

async function approve(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Decision note').fill(note)
  await dialog.getByRole('button', { name: 'Approve' }).click()
}

it('a product is set up, simulated and published; a loan is asked for, its maker may not approve it, another person does', async () => {
  const setUp = await enter('product@sunrise.test', '/products/add')
  const { page } = setUp
  await page.getByLabel('Name', { exact: true }).fill('Harvest loan')
  await page.getByLabel('Code', { exact: true }).fill('HARV')
  await choose(page, 'Category', 'Personal loans')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Harvest loan' }).first().click()
  await settle(setUp)
  await page.locator('main').getByText('Versions', { exact: true }).click()
  await page.getByText('New product version').first().click()
  await settle(setUp)
  const from = page.getByLabel('Offered from')
  await from.fill('1 Jan 2026')
  await from.press('Enter')
  for (const [label, value] of [
    ['Amount from', '1000'],
    ['Amount to', '50000'],
    ['Instalments from', '3'],
    ['Instalments to', '24'],
    ['Interest a year', '24'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await expectSound(setUp, 'terms of a version')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Harvest loan v1' }).first().click()
  await settle(setUp)
  await page.getByText('Simulate', { exact: true }).first().click()
  await settle(setUp)
  await page.getByLabel('Amount', { exact: false }).first().fill('10000')
  await page.getByLabel('Instalments', { exact: false }).first().fill('12')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByText('KES 11,347.15').waitFor()
  expect(new URL(page.url()).search).toContain('amount=10000')
  await expectSound(setUp, 'simulator')
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(setUp)
  await expectSound(setUp, 'simulator on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Terms of this version' }).click()
  await settle(setUp)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Simulate' }).waitFor()
  await page.locator('main').getByText('Published', { exact: true }).first().waitFor()
  await settle(setUp)

  const maker = await enter('branch@sunrise.test', '/sales/applications/add')
  const lead = await choose(maker.page, 'Lead')
  await nextStep(maker.page)
  // What does not hold keeps the step; what was entered before is there when somebody goes back.
  await nextStep(maker.page)
  await maker.page.getByText('Product is required').waitFor()
  await maker.page.getByText('Step 2 of 4').waitFor()
  await choose(maker.page, 'Product', 'Harvest loan')
  await maker.page.getByLabel('Amount', { exact: true }).first().fill('10000')
  await maker.page.getByLabel('Instalments', { exact: true }).fill('12')
  await maker.page.getByLabel('Purpose').fill('Seed and fertiliser')
  await expectSound(maker, 'form of an application')
  await maker.page.getByRole('button', { name: 'Back', exact: true }).click()
  await maker.page.getByText(lead, { exact: true }).filter({ visible: true }).first().waitFor()
  expect(await maker.page.getByRole('button', { name: 'Security' }).isDisabled()).toBe(true)
  await nextStep(maker.page)
  expect(await maker.page.getByLabel('Purpose').inputValue()).toBe('Seed and fertiliser')
  await nextStep(maker.page)
  await nextStep(maker.page)
  await maker.page.getByText('Step 4 of 4').waitFor()
  await expectSound(maker, 'last step of an application')
  await maker.page.getByRole('button', { name: 'Save' }).click()
  await settle(maker)
  await maker.page
    .getByRole('link', { name: /^A-\d{5}$/ })
    .first()
    .click()
  await settle(maker)
  await maker.page.getByText('KES 945.60').first().waitFor()
  await maker.page.getByRole('button', { name: 'Submit' }).click()
  await maker.page.getByText('Waits for').first().waitFor()
  await settle(maker)
  await expectSound(maker, 'an application that waits')
  const { pathname } = new URL(maker.page.url())
  await approve(maker.page, 'I think it is sound')
  await maker.page.getByText('Another person has to decide').first().waitFor()
  // The refusal is what was asked for.
  expect(maker.faults.splice(0).every((fault) => fault.includes('403'))).toBe(true)

  const decider = await enter('credit@sunrise.test', pathname)
  await approve(decider.page, 'Harvest and income fit')
  await decider.page.getByRole('dialog').waitFor({ state: 'detached' })
  await decider.page.locator('main').getByText('Harvest and income fit').first().waitFor()
  await settle(decider)
  await expectSound(decider, 'an application that was decided on')
})
