import { Link } from '@tanstack/react-router'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { FormSkeleton } from '../../../view/kinds/form/FormKind.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import type { CustomProps } from '../../props.ts'
import { subjectLabels } from '../questions.ts'
import { useFormsToFill, useFormVersion, type FormVersion } from '../version.ts'
import { FillForm } from './FillForm.tsx'
import { useRefusedForm } from './refused.ts'
import '../web-forms.css'

/** Fills a form in: the one of the address, or one that is chosen here. What it is about may come with the address (?leadId=...). */
export function FormFill({ view, params }: CustomProps) {
  return params['id'] === undefined ? (
    <FormChoice title={view.title} />
  ) : (
    <OneForm key={params['id']} id={params['id']} title={view.title} />
  )
}

function OneForm({ id, title }: { id: string; title: string }) {
  const { address } = useAddress()
  const again = textOf(address['again'])
  const version = useFormVersion(id)
  const refused = useRefusedForm(again)
  if (version.isPending || refused.isPending) return <FormSkeleton title={title} />
  if (again !== undefined && !refused.data)
    return <EmptyState title={t('Nothing is left to mend here')} body={t('This form was sent again or given up.')} />
  if (version.data) return <FillForm version={version.data as unknown as FormVersion} refused={refused.data ?? undefined} />
  return (
    <div className="form-view">
      <header className="view-header">
        <h1 tabIndex={-1}>{t(title)}</h1>
      </header>
      <ErrorState error={version.error} onRetry={() => void version.refetch()} what={t('This form')} />
    </div>
  )
}

const subjectKeys = { leadId: 'lead', clientId: 'client', activityId: 'activity' } as const

/** The forms there are; about a record only those that may be about it. */
function FormChoice({ title }: { title: string }) {
  const { address } = useAddress()
  const forms = useFormsToFill()
  const [given] = Object.entries(subjectKeys).filter(([key]) => textOf(address[key]) !== undefined)
  const shown = (forms.data ?? []).filter(({ about }) => given === undefined || about === given[1])
  const search = given ? { [given[0]]: textOf(address[given[0]]) } : {}
  return (
    <div className="form-view">
      <header className="view-header">
        <h1 tabIndex={-1}>{t(title)}</h1>
      </header>
      {forms.isPending ? (
        <LoadingState rows={4} />
      ) : forms.error ? (
        <ErrorState error={forms.error} what={t('This list')} onRetry={() => void forms.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState title={t('No forms to fill in')} body={t('Forms that your office publishes are shown here.')} />
      ) : (
        <ul className="wf-choice">
          {shown.map(({ Id, name, description, about }) => (
            <li key={Id}>
              <Link to={`/forms/fill/${Id}` as never} search={search as never}>
                {name}
              </Link>
              <small>{t(subjectLabels[about])}</small>
              {description ? <p>{description}</p> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
