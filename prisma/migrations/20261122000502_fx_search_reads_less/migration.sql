-- What agents hold and where they were is read in the caller's reach (areas/leads/assignment.ts): the search role needs none of it.
drop function search.agent_standing(uuid[], text[]);
drop policy search_wall on agent_action;
revoke select ("companyId", "performedByUserId", "latitude", "longitude", "dateCreated") on agent_action from fx_search;
revoke select ("assignedUserId", "status") on lead from fx_search;
