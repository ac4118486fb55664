import type { Locator, Page } from 'playwright'
import type { Person } from '../../support/browser.ts'
import { expectSound, settle } from './look.ts'

/** Chooses an option of a select by its field's name: the first, or the one with these words. */
export async function choose(page: Page, field: string, option?: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  if (option !== undefined) await page.keyboard.type(option)
  const found = page.locator('.ant-select-item-option:visible')
  await (option === undefined ? found.first() : found.filter({ hasText: option }).first()).click()
}

/** Picks today in the calendar of a date field. */
export async function pickToday(page: Page, field: string): Promise<void> {
  await page.getByLabel(field).first().click()
  await page.getByText('Today', { exact: true }).last().click()
}

/** Fills in what a move asks for. */
type Fill = (dialog: Locator) => Promise<void>

/** Presses a move of the record and answers what it asks for. */
export async function make(person: Person, move: string, fill?: Fill): Promise<void> {
  const { page } = person
  await page.getByRole('button', { name: move, exact: true }).first().click()
  if (fill) await answer(person, move, fill)
  await settle(person)
}

/** Answers the dialog of a move that is open. */
export async function answer(person: Person, move: string, fill: Fill): Promise<void> {
  const dialog = person.page.getByRole('dialog')
  await dialog.waitFor()
  await fill(dialog)
  await dialog.getByRole('button', { name: move, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Opens a tab of the record. */
export async function openTab(person: Person, name: string): Promise<void> {
  await person.page.locator('main').getByText(name, { exact: true }).first().click()
  await settle(person)
}

/** Looks at the page at the width of a phone. */
export async function onPhone(person: Person, what: string): Promise<void> {
  await person.page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, `${what} on a phone`)
  await person.page.setViewportSize({ width: 1440, height: 900 })
  await settle(person)
}
