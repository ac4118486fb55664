import { Suspense } from 'react'
import type { ComponentType } from 'react'
import type { CustomScreen } from '@outpost/contract/views/custom-screens'
import type { CustomView, View, ViewKind } from '@outpost/contract/views'
import { t } from '../session/labels.ts'
import { lazily } from './lazily.tsx'
import { ScreenOutline, shapeOfKind } from './states/Outline.tsx'
import { StatePanel } from './states/index.tsx'
import './view.css'

export type Params = Record<string, string>
type KindProps<Kind extends ViewKind> = { view: Extract<View, { kind: Kind }>; params: Params }

const ListKind = lazily(async () => (await import('./kinds/list/ListKind.tsx')).ListKind)
const FormKind = lazily(async () => (await import('./kinds/form/FormKind.tsx')).FormKind)
const DetailKind = lazily(async () => (await import('./kinds/detail/DetailKind.tsx')).DetailKind)
const DashboardKind = lazily(async () => (await import('./kinds/dashboard/DashboardKind.tsx')).DashboardKind)
const ReportKind = lazily(async () => (await import('./kinds/report/ReportKind.tsx')).ReportKind)
const CalculatorKind = lazily(async () => (await import('./kinds/calculator/CalculatorKind.tsx')).CalculatorKind)

/** Loads the part that draws views of this kind, before the view is here. */
export const loadKind = async (kind: string): Promise<void> => {
  const part = {
    list: ListKind,
    form: FormKind,
    detail: DetailKind,
    dashboard: DashboardKind,
    report: ReportKind,
    calculator: CalculatorKind,
  }[kind]
  await part?.load()
}

export type CustomScreens = Partial<Record<CustomScreen, ComponentType<{ view: CustomView; params: Params }>>>
interface ViewHostProps {
  view: View
  params: Params
  customScreens?: CustomScreens
}

/** Draws any view the server sends; hand-made screens come from the registry the shell passes. */
export function ViewHost(props: ViewHostProps) {
  return (
    <div className="view">
      <Suspense fallback={<ScreenOutline title={props.view.title} shape={shapeOfKind(props.view.kind)} />}>
        <Kind {...props} />
      </Suspense>
    </div>
  )
}

function Kind({ view, params, customScreens = {} }: ViewHostProps) {
  switch (view.kind) {
    case 'list':
      return <ListKind view={view} params={params} />
    case 'form':
      return <FormKind view={view} params={params} />
    case 'detail':
      return <DetailKind view={view} params={params} />
    case 'dashboard':
      return <DashboardKind view={view} params={params} />
    case 'report':
      return <ReportKind view={view} params={params} />
    case 'calculator':
      return <CalculatorKind view={view} params={params} />
    case 'custom':
      return <CustomKind view={view} params={params} customScreens={customScreens} />
    default:
      return <UnknownKind view={view} />
  }
}

const CustomKind = ({ view, params, customScreens }: KindProps<'custom'> & { customScreens: CustomScreens }) => {
  const Screen = customScreens[view.screen]
  return Screen ? <Screen view={view} params={params} /> : <UnknownKind view={view} />
}

/** The server speaks of something this console does not know yet: it is older than the server. */
const UnknownKind = ({ view }: { view: { title: string } }) => (
  <>
    <h1>{t(view.title)}</h1>
    <StatePanel title={t('This screen needs a newer console')} body={t('Load the page again to get it.')} />
  </>
)
