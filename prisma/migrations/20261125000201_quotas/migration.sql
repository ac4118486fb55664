-- What each user may write as many rows of as a quota allows is counted at each writing.
create index if not exists sync_dead_letter_of_user on public.sync_dead_letter ("companyId", "userId");
create index if not exists saved_view_of_user on public.saved_view ("companyId", "userId");
create index if not exists onboarding_draft_of_user on public.onboarding_draft ("companyId", "userId");
create index if not exists error_log_of_user on public.error_log ("companyId", "userId", "dateCreated");
