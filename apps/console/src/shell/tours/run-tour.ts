import { driver, type PopoverDOM } from 'driver.js'
import 'driver.js/dist/driver.css'
import { t } from '../../session/labels.ts'
import { saveTour } from '../../session/personal.ts'
import { allTours } from './tour-state.ts'
import type { Tour } from './tours.ts'
import './tours.css'

interface Run {
  isStill: boolean
  onEnd: () => void
}

/** Leads through a screen, step by step; what becomes of it is remembered. Gives the function that ends it without a word. */
export function runTour({ name, version, steps }: Tour, { isStill, onEnd }: Run): () => void {
  const back = document.activeElement
  const shown = steps.filter(({ element }) => document.querySelector(element))
  let outcome: 'done' | 'skipped' | null = 'skipped'
  const end = (how: typeof outcome): void => {
    outcome = how
    tour.destroy()
  }
  const tour = driver({
    steps: shown.map(({ element, title, text }) => ({ element, popover: { title: t(title), description: t(text) } })),
    animate: !isStill,
    smoothScroll: !isStill,
    disableActiveInteraction: true,
    // A click beside the words is no decision.
    overlayClickBehavior: () => undefined,
    popoverClass: 'o-tour',
    stagePadding: 6,
    stageRadius: 10,
    showProgress: shown.length > 1,
    progressText: `${t('Step')} {{current}} ${t('of')} {{total}}`,
    nextBtnText: t('Next'),
    prevBtnText: t('Back'),
    doneBtnText: t('Done'),
    onPopoverRender: (popover) =>
      addChoices(popover, [
        [t('Skip this tour'), () => end('skipped')],
        [
          t('Show no tours'),
          () => {
            saveTour(allTours, { status: 'skipped' })
            end('skipped')
          },
        ],
      ]),
    // What is shown is no button: attributes of one would be a lie to those who hear the page.
    onHighlighted: (element) => ['aria-haspopup', 'aria-expanded', 'aria-controls'].forEach((name) => element?.removeAttribute(name)),
    onDoneClick: () => end('done'),
    onDestroyed: (_element, _step, { index }) => {
      if (outcome) saveTour(name, { status: outcome, step: index ?? 0, version })
      if (back instanceof HTMLElement && back.isConnected) back.focus()
      onEnd()
    },
  })
  if (shown.length === 0) return () => undefined
  saveTour(name, { status: 'started', step: 0, version })
  tour.drive()
  return () => {
    if (tour.isActive()) end(null)
  }
}

/** Below the steps: leave this tour, or all of them. */
function addChoices({ wrapper, closeButton }: PopoverDOM, choices: readonly [label: string, run: () => void][]): void {
  // Its header and footer are none of the page.
  for (const part of wrapper.querySelectorAll('header, footer')) part.setAttribute('role', 'none')
  closeButton.setAttribute('aria-label', t('Close'))
  const line = document.createElement('div')
  line.className = 'o-tour-choices'
  for (const [label, run] of choices) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', run)
    line.append(button)
  }
  wrapper.append(line)
}
