import type { Page } from 'playwright'

/** On to the next step of a form in steps. */
export const nextStep = (page: Page): Promise<void> => page.getByRole('button', { name: 'Next', exact: true }).click()
