-- A rule may give to the members of a team.
ALTER TABLE "assignment_rule" ADD COLUMN "candidateTeamId" UUID;
