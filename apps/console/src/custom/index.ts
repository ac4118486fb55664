import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { CustomScreen, CustomView } from '@outpost/contract/views'

/** What a hand-made screen gets: its view and the parameters of its path. */
export interface CustomProps {
  view: CustomView
  params: Record<string, string>
}

/** The hand-made screens by the names the server uses; each is loaded when it is opened. */
export const customScreens: Record<CustomScreen, LazyExoticComponent<ComponentType<CustomProps>>> = {
  'activity-calendar': lazy(() => import('./calendar/ActivityCalendar.tsx').then((file) => ({ default: file.ActivityCalendar }))),
  'activity-visit': lazy(() => import('./activity-visit/ActivityVisit.tsx').then((file) => ({ default: file.ActivityVisit }))),
  'agent-day': lazy(() => import('./agents/AgentDay.tsx').then((file) => ({ default: file.AgentDay }))),
  'agent-location': lazy(() => import('./agents/AgentLocation.tsx').then((file) => ({ default: file.AgentLocation }))),
  'agents-map': lazy(() => import('./agents/AgentsMap.tsx').then((file) => ({ default: file.AgentsMap }))),
  'fence-editor': lazy(() => import('./fleet/fence/FenceEditor.tsx').then((file) => ({ default: file.FenceEditor }))),
  'fleet-events': lazy(() => import('./fleet/FleetEvents.tsx').then((file) => ({ default: file.FleetEvents }))),
  'fleet-trips': lazy(() => import('./fleet/FleetTrips.tsx').then((file) => ({ default: file.FleetTrips }))),
  'send-commands': lazy(() => import('./fleet/commands/SendCommands.tsx').then((file) => ({ default: file.SendCommands }))),
  'fence-export': lazy(() => import('./fleet/import/FenceExport.tsx').then((file) => ({ default: file.FenceExport }))),
  'fleet-import': lazy(() => import('./fleet/import/FleetImport.tsx').then((file) => ({ default: file.FleetImport }))),
  'live-map': lazy(() => import('./fleet/LiveMap.tsx').then((file) => ({ default: file.LiveMap }))),
  replay: lazy(() => import('./fleet/replay/Replay.tsx').then((file) => ({ default: file.Replay }))),
  'rule-editor': lazy(() => import('./fleet/rules/RuleEditor.tsx').then((file) => ({ default: file.RuleEditor }))),
  'unlinked-devices': lazy(() => import('./fleet/Unlinked.tsx').then((file) => ({ default: file.Unlinked }))),
  home: lazy(() => import('./home/Home.tsx').then((file) => ({ default: file.Home }))),
  'client-import': lazy(() => import('./client-import/ClientImport.tsx').then((file) => ({ default: file.ClientImport }))),
  'client-merge': lazy(() => import('./person-merge/Merge.tsx').then((file) => ({ default: file.ClientMerge }))),
  'lead-merge': lazy(() => import('./person-merge/Merge.tsx').then((file) => ({ default: file.LeadMerge }))),
  'my-work': lazy(() => import('./my-work/MyWork.tsx').then((file) => ({ default: file.MyWork }))),
  'onboarding-wizard': lazy(() => import('./onboarding-wizard/OnboardingWizard.tsx').then((file) => ({ default: file.OnboardingWizard }))),
  'role-comparison': lazy(() => import('./role-comparison/RoleComparison.tsx').then((file) => ({ default: file.RoleComparison }))),
  'route-plan-editor': lazy(() => import('./route-plans/planner/PlanEditor.tsx').then((file) => ({ default: file.PlanEditor }))),
  'route-plan-drive': lazy(() => import('./route-plans/day/DriveView.tsx').then((file) => ({ default: file.DriveView }))),
  'route-plan-overview': lazy(() => import('./route-plans/day/MapOverview.tsx').then((file) => ({ default: file.MapOverview }))),
  'route-plan-day': lazy(() => import('./route-plans/day/DayOverview.tsx').then((file) => ({ default: file.DayOverview }))),
  'pipeline-editor': lazy(() => import('./pipeline-editor/PipelineEditor.tsx').then((file) => ({ default: file.PipelineEditor }))),
  'saml-trial': lazy(() => import('./saml-trial/SamlTrial.tsx').then((file) => ({ default: file.SamlTrial }))),
  'product-matrix': lazy(() => import('./product-matrix/ProductMatrix.tsx').then((file) => ({ default: file.ProductMatrix }))),
  'product-simulator': lazy(() => import('./product-simulator/ProductSimulator.tsx').then((file) => ({ default: file.ProductSimulator }))),
  settings: lazy(() => import('./settings/Settings.tsx').then((file) => ({ default: file.Settings }))),
  'target-board': lazy(() => import('./target-board/TargetBoard.tsx').then((file) => ({ default: file.TargetBoard }))),
  'user-import': lazy(() => import('./user-import/UserImport.tsx').then((file) => ({ default: file.UserImport }))),
  'ussd-simulator': lazy(() => import('./ussd-simulator/UssdSimulator.tsx').then((file) => ({ default: file.UssdSimulator }))),
  'needs-attention': lazy(() => import('./needs-attention/NeedsAttention.tsx').then((file) => ({ default: file.NeedsAttention }))),
}
