import type { Locator, Page } from 'playwright'
import { until } from '../../support/until.ts'

/**
 * Drags a card to a column of its board as a person does: looks that it came along, and that the column shows it would take it, before letting go. A list that
 * is read anew in the moment of the grip draws its cards anew, so one that did not come is picked up again.
 */
export async function dragCard(page: Page, card: Locator, column: Locator): Promise<void> {
  await column.scrollIntoViewIfNeeded()
  await until(() => pickUp(page, card))
  const end = await column.boundingBox()
  if (!end) throw new Error('The column is not in view')
  await page.mouse.move(end.x + end.width / 2, end.y + 160, { steps: 12 })
  await column.and(page.locator('[data-over="true"]')).waitFor()
  await page.mouse.up()
}

/** Whether the card came along. */
export async function pickUp(page: Page, card: Locator): Promise<boolean> {
  const start = await card.boundingBox()
  if (!start) return false
  await page.mouse.move(start.x + 60, start.y + 60)
  await page.mouse.down()
  await page.mouse.move(start.x + 90, start.y + 70, { steps: 4 })
  const isHeld = await page
    .locator('.board-card-held')
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false,
    )
  if (!isHeld) await page.mouse.up()
  return isHeld
}
