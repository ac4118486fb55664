import type pg from 'pg'
import type { Page } from 'playwright'
import { keptForTheRoad } from '../../../apps/console/src/data/kept-mark.ts'
import { demoId } from '../../../prisma/seed/random.ts'
import type { Call } from './calls.ts'

/** What the screen of a visit says of it. */
export const visitState = (page: Page): Promise<string> => page.locator('.av-state').innerText()

/** In the morning the demo's officer is in the middle of a visit, and may not start another. */
export async function finishRunning(office: pg.Pool, manage: Call): Promise<void> {
  const officerId = demoId('sunrise officer')
  const { rows: done } = await office.query<{ id: string }>('select "id" from activity_status where "companyId" = $1 and "meaning" = $2', [
    demoId('sunrise'),
    'done',
  ])
  const { rows: running } = await office.query<{ activityId: string }>(
    `select a."activityId" from activity_assignment a join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId"
    where a."userId" = $1 and s."meaning" = 'started'`,
    [officerId],
  )
  for (const { activityId } of running) {
    const { status, text } = await manage('PUT', '/api/activities/updateAssignmentStatus', {
      activityId,
      userId: officerId,
      statusId: done[0]?.id,
    })
    if (status !== 200) throw new Error(text)
  }
}

/** Takes a photo on the screen of a visit. */
export async function takePhoto(page: Page): Promise<void> {
  const picture = await page.screenshot()
  await page.getByLabel('Take photo').setInputFiles({ name: 'IMG_1.png', mimeType: 'image/png', buffer: picture })
  await page.locator('.av-thumb img').first().waitFor()
}

/** Waits until the page has fetched all that the program keeps for the road: screens, what forms choose from. It asks for one after the other, and marks the end. */
export const isKept = async (page: Page): Promise<void> =>
  void (await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, keptForTheRoad, { timeout: 120_000 }))
