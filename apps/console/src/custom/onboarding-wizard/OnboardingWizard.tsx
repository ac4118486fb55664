import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { DraftChoice } from './DraftChoice.tsx'
import { dataOfLead, listDrafts, type Draft } from './draft.ts'
import { WizardForm } from './WizardForm.tsx'
import './onboarding-wizard.css'

const newDraft = (leadId?: string, data = {}): Draft => ({
  Id: crypto.randomUUID(),
  step: 0,
  furthest: leadId ? 5 : 0,
  data,
  ...(leadId ? { leadId } : {}),
})

/** Digital onboarding in six steps; it can be left at any moment and gone on with on another device. */
export function OnboardingWizard({ view, params }: CustomProps) {
  const leadId = params.id
  const { layout } = useSession()
  const navigate = useNavigate()
  const asked = useRouterState({ select: ({ location }) => (location.search as { draft?: string }).draft })
  const [chosen, setChosen] = useState<Draft | null>(null)
  const found = useQuery({ queryKey: ['onboarding', leadId ?? 'new'], queryFn: () => load(leadId), gcTime: 0, staleTime: Infinity })
  const draft = chosen ?? found.data?.drafts.find(({ Id }) => Id === asked) ?? found.data?.start ?? null

  if (found.isPending || !layout)
    return (
      <Page title={view.title}>
        <LoadingState rows={5} />
      </Page>
    )
  if (found.error)
    return (
      <Page title={view.title}>
        <ErrorState error={found.error} what={t('Digital onboarding')} onRetry={() => void found.refetch()} />
      </Page>
    )
  if (!draft)
    return (
      <Page title={view.title}>
        <DraftChoice
          drafts={found.data.drafts}
          onChoose={setChosen}
          onNew={() => setChosen(newDraft())}
          onDropped={() => void found.refetch()}
        />
      </Page>
    )
  return (
    <Page title={leadId ? t('Complete onboarding') : view.title}>
      <WizardForm
        key={draft.Id}
        draft={draft}
        country={layout.company.country}
        currency={layout.company.currency}
        onSent={(id, message) => {
          toast.success({ title: message ?? t('Lead created successfully') })
          void navigate({ to: `/sales/leads/edit/${id}` })
        }}
      />
    </Page>
  )
}

const Page = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="ow">
    <h1 tabIndex={-1}>{t(title)}</h1>
    {children}
  </div>
)

/** Drafts to go on with; `start` when there is nothing to choose. */
async function load(leadId: string | undefined): Promise<{ drafts: Draft[]; start?: Draft }> {
  const drafts = await listDrafts()
  if (!leadId) {
    const open = drafts.filter((draft) => !draft.leadId)
    return open.length > 0 ? { drafts: open } : { drafts: [], start: newDraft() }
  }
  const known = drafts.find((draft) => draft.leadId === leadId)
  if (known) return { drafts: [], start: known }
  const { data } = await call('leads.get', { params: { id: leadId } })
  return { drafts: [], start: newDraft(leadId, dataOfLead(data.lead)) }
}
