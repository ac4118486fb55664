import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { CustomScreen, CustomView } from '@outpost/contract/views'

/** What a hand-made screen gets: its view and the parameters of its path. */
export interface CustomProps { view: CustomView, params: Record<string, string> }

/** The hand-made screens by the names the server uses; each is loaded when it is opened. */
export const customScreens: Record<CustomScreen, LazyExoticComponent<ComponentType<CustomProps>>> = {
  'activity-calendar': lazy(() => import('./calendar/ActivityCalendar.tsx').then((file) => ({ default: file.ActivityCalendar }))),
  'home': lazy(() => import('./home/Home.tsx').then((file) => ({ default: file.Home }))),
  'lead-merge': lazy(() => import('./lead-merge/LeadMerge.tsx').then((file) => ({ default: file.LeadMerge }))),
  'my-work': lazy(() => import('./my-work/MyWork.tsx').then((file) => ({ default: file.MyWork }))),
  'onboarding-wizard': lazy(() => import('./onboarding-wizard/OnboardingWizard.tsx').then((file) => ({ default: file.OnboardingWizard }))),
  'needs-attention': lazy(() => import('./needs-attention/NeedsAttention.tsx').then((file) => ({ default: file.NeedsAttention }))),
}
