import type { Page } from 'playwright'

/** A corner of a ring as shares of the map's width and height. */
type Corner = readonly [across: number, down: number]

/** Draws around activities on the map of a plan, corner by corner and back to the first. */
export async function drawAround(page: Page, [first, ...others]: readonly [Corner, ...Corner[]]): Promise<void> {
  await page.getByRole('button', { name: 'Select by drawing around' }).click()
  const box = await page.locator('.map-sheet').boundingBox()
  if (!box) throw new Error('There is no map to draw on.')
  const at = ([across, down]: Corner) => [box.x + box.width * across, box.y + box.height * down] as const
  await page.mouse.move(...at(first))
  await page.mouse.down()
  for (const corner of others) await page.mouse.move(...at(corner), { steps: 8 })
  await page.mouse.move(...at([first[0], first[1] + 0.02]), { steps: 8 })
  await page.mouse.up()
}

/** Chooses the agents of a plan by name. */
export async function chooseAgents(page: Page, names: readonly string[]): Promise<void> {
  const field = page.getByLabel('Agents', { exact: true })
  await field.click()
  for (const name of names) {
    await field.fill(name)
    await page.locator('.ant-select-item-option:visible', { hasText: name }).click()
  }
  await page.keyboard.press('Escape')
}

/** The next step of the visit that is open: start, complete, missed, the last two with words. */
export async function takeStep(page: Page, step: string, words?: string): Promise<void> {
  await page.getByRole('group', { name: 'Next step' }).getByRole('button', { name: step, exact: true }).click()
  if (words === undefined) return
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(words)
  await dialog.getByRole('button', { name: step, exact: true }).click()
}
