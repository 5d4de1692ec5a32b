// Plays scenario.json with cloud.google.com/go/firestore and a REST client generated from /openapi.json.
//
// After each phase it sorts the players by itself, and compares that with the lists, the ranks and the live top.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"firerank.test/program/rest"
)

type settings struct {
	Project, Scenario, Points, Cup, Rest, Token string
	Seconds                                     float64
}

type step struct {
	Set, Create, Merge, Update, Delete, Submit, Board, From, To string
	Fields                                                      map[string]any
	Batch, Bulk                                                 []step
	Transaction                                                 int64
	Score                                                       *float64
	Columns                                                     map[string]int64
}

// row is a line of the independent sort, and of lists.
type row struct {
	player         string
	score          float64
	rank, position int64
}

// player is what the sort needs of a document. A score is an integer or a double, by its value.
type player struct {
	Score      float64           `firestore:"score"`
	AchievedAt time.Time         `firestore:"achieved_at"`
	Segments   map[string]string `firestore:"segments"`
	Columns    map[string]int64  `firestore:"columns"`
	id         string
}

type entry struct {
	Player   string  `firestore:"player"`
	Score    float64 `firestore:"score"`
	Rank     int64   `firestore:"rank"`
	Position int64   `firestore:"position"`
}

var (
	ctx     = context.Background()
	given   settings
	db      *firestore.Client
	api     *rest.ClientWithResponses
	players *firestore.CollectionRef
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// read decodes JSON; whole numbers stay whole.
func read(path string, into any) {
	decoder := json.NewDecoder(bytes.NewReader(must(os.ReadFile(path))))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		log.Fatal(err)
	}
}

// value is a value as the scenario says it, with Firestore's own for the words in capitals.
func value(said any) any {
	switch said := said.(type) {
	case json.Number:
		if strings.Contains(said.String(), ".") {
			return must(said.Float64())
		}
		return must(said.Int64())
	case []any:
		for i := range said {
			said[i] = value(said[i])
		}
		return said
	case map[string]any:
		if by, ok := said["INCREMENT"]; ok {
			return firestore.Increment(value(by))
		}
		if items, ok := said["UNION"]; ok {
			return firestore.ArrayUnion(items.([]any)...)
		}
		if at, ok := said["TIME"]; ok {
			return must(time.Parse(time.RFC3339Nano, at.(string)))
		}
		if said["SERVER_TIME"] != nil {
			return firestore.ServerTimestamp
		}
		if said["DELETE"] != nil {
			return firestore.Delete
		}
		return fields(said)
	}
	return said
}

func fields(said map[string]any) map[string]any {
	found := map[string]any{}
	for name, one := range said {
		found[name] = value(one)
	}
	return found
}

func updates(said map[string]any) []firestore.Update {
	var found []firestore.Update
	for name, one := range fields(said) {
		found = append(found, firestore.Update{Path: name, Value: one})
	}
	return found
}

// write does one step.
func write(one step) {
	switch {
	case one.Batch != nil:
		batch := db.Batch()
		for _, each := range one.Batch {
			document := players.Doc(each.Set + each.Create + each.Update + each.Delete)
			switch {
			case each.Set != "":
				batch.Set(document, fields(each.Fields))
			case each.Create != "":
				batch.Create(document, fields(each.Fields))
			case each.Update != "":
				batch.Update(document, updates(each.Fields))
			case each.Delete != "":
				batch.Delete(document)
			}
		}
		must(batch.Commit(ctx))
	case one.Bulk != nil:
		bulk := db.BulkWriter(ctx)
		var jobs []*firestore.BulkWriterJob
		for _, each := range one.Bulk {
			document := players.Doc(each.Set + each.Create + each.Update + each.Delete)
			switch {
			case each.Set != "":
				jobs = append(jobs, must(bulk.Set(document, fields(each.Fields))))
			case each.Create != "":
				jobs = append(jobs, must(bulk.Create(document, fields(each.Fields))))
			case each.Update != "":
				jobs = append(jobs, must(bulk.Update(document, updates(each.Fields))))
			case each.Delete != "":
				jobs = append(jobs, must(bulk.Delete(document)))
			}
		}
		bulk.End()
		for _, job := range jobs {
			must(job.Results())
		}
	case one.Transaction != 0:
		giver, taker := players.Doc(one.From), players.Doc(one.To)
		err := db.RunTransaction(ctx, func(_ context.Context, transaction *firestore.Transaction) error {
			documents, err := transaction.GetAll([]*firestore.DocumentRef{giver, taker})
			if err != nil {
				return err
			}
			for i, by := range []int64{-one.Transaction, one.Transaction} {
				score := documents[i].Data()["score"].(int64) + by
				if err := transaction.Update(documents[i].Ref, []firestore.Update{{Path: "score", Value: score}}); err != nil {
					return err
				}
			}
			return nil
		})
		must(0, err)
	case one.Submit != "":
		submit(one)
	case one.Set != "":
		must(players.Doc(one.Set).Set(ctx, fields(one.Fields)))
	case one.Create != "":
		must(players.Doc(one.Create).Create(ctx, fields(one.Fields)))
	case one.Merge != "":
		must(players.Doc(one.Merge).Set(ctx, fields(one.Fields), firestore.MergeAll))
	case one.Update != "":
		must(players.Doc(one.Update).Update(ctx, updates(one.Fields)))
	case one.Delete != "":
		must(players.Doc(one.Delete).Delete(ctx))
	default:
		log.Fatalf("the scenario has an unknown step: %+v", one)
	}
}

func submit(one step) {
	board := map[string]string{"points": given.Points, "cup": given.Cup}[one.Board]
	body := rest.SubmitScoreJSONRequestBody{Player: &one.Submit, Score: one.Score}
	if one.Columns != nil {
		body.Columns = &one.Columns
	}
	answer := must(api.SubmitScoreWithResponse(ctx, board, body))
	if answer.JSON200 == nil || answer.JSON200.Player != one.Submit {
		log.Fatalf("submitScore answered %s", answer.Body)
	}
	if one.Score != nil && answer.JSON200.Seasons[0].Score < *one.Score {
		log.Fatalf("submitScore of %v answered %v", *one.Score, answer.JSON200.Seasons[0].Score)
	}
}

func equal(what string, found, expected any) error {
	if reflect.DeepEqual(found, expected) {
		return nil
	}
	return fmt.Errorf("%s: found %+v, expected %+v", what, found, expected)
}

func require(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// ranked is the independent sort: better score, then earlier, then id. It also has the dense ranks by player.
func ranked(all []player) ([]row, map[string]int64) {
	sorted := append([]player{}, all...)
	sort.Slice(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		if !a.AchievedAt.Equal(b.AchievedAt) {
			return a.AchievedAt.Before(b.AchievedAt)
		}
		return a.id < b.id
	})
	table, dense := []row{}, map[string]int64{}
	rank, denseRank := int64(0), int64(0)
	for i, one := range sorted {
		if i == 0 || one.Score != sorted[i-1].Score {
			rank, denseRank = int64(i+1), denseRank+1
		}
		table = append(table, row{one.id, one.Score, rank, int64(i + 1)})
		dense[one.id] = denseRank
	}
	return table, dense
}

func documentsIn(collection *firestore.CollectionRef) []player {
	var all []player
	for _, document := range must(collection.Documents(ctx).GetAll()) {
		one := player{id: document.Ref.ID}
		require(document.DataTo(&one))
		all = append(all, one)
	}
	return all
}

func pages(generation int64, segment *string) []row {
	limit := int32(4)
	lines, params := []row{}, &rest.GetPageParams{Limit: &limit, MinGeneration: &generation, Segment: segment}
	for {
		page := must(api.GetPageWithResponse(ctx, given.Points, params))
		if page.JSON200 == nil {
			log.Fatalf("getPage answered %s", page.Body)
		}
		for _, one := range page.JSON200.Entries {
			lines = append(lines, row{one.Player, one.Score, one.Rank, one.Position})
		}
		params.Cursor = page.JSON200.NextCursor
		if params.Cursor == nil {
			return lines
		}
	}
}

// check compares everything with the sort, and returns how many ranks were compared.
func check(generation, cupGeneration int64) int {
	all := documentsIn(players)
	table, dense := ranked(all)
	byCountry := map[string][]player{}
	country := map[string]string{}
	for _, one := range all {
		if of := one.Segments["country"]; of != "" {
			country[one.id] = of
			byCountry[of] = append(byCountry[of], one)
		}
	}
	at := "country:AT"
	inAT, _ := ranked(byCountry["AT"])
	require(equal("all pages", pages(generation, nil), table))
	require(equal("pages of AT", pages(generation, &at), inAT))
	for _, one := range table {
		asked := []string{"country"}
		answer := must(api.GetRankWithResponse(ctx, given.Points, one.player, &rest.GetRankParams{MinGeneration: &generation, Segments: &asked}))
		if answer.JSON200 == nil {
			log.Fatalf("getRank answered %s", answer.Body)
		}
		found := answer.JSON200
		require(equal("the rank of "+one.player, []any{found.Score, found.Rank, found.DenseRank, found.Players},
			[]any{one.score, one.rank, dense[one.player], int64(len(table))}))
		own := (*found.Segments)["country"]
		if of := country[one.player]; of == "" {
			require(equal("the rank of "+one.player+" in a segment", own, (*rest.SegmentRank)(nil)))
		} else {
			within, denseWithin := ranked(byCountry[of])
			for _, each := range within {
				if each.player == one.player {
					require(equal("the rank of "+one.player+" in a segment", []int64{own.Rank, own.DenseRank}, []int64{each.rank, denseWithin[each.player]}))
				}
			}
		}
		ofScore := must(api.GetRankOfScoreWithResponse(ctx, given.Points, &rest.GetRankOfScoreParams{MinGeneration: &generation, Score: &one.score}))
		if ofScore.JSON200 == nil {
			log.Fatalf("the rank of a score: %s", ofScore.Body)
		}
		require(equal("the rank of a score", []any{ofScore.JSON200.Score, ofScore.JSON200.Rank}, []any{one.score, one.rank}))
	}
	checkColumns(cupGeneration)
	refused := must(api.GetRankWithResponse(ctx, given.Points, "nobody", &rest.GetRankParams{}))
	if refused.JSON404 == nil || refused.JSON404.Error.Code != "player_not_ranked" {
		log.Fatalf("getRank of nobody answered %s", refused.Body)
	}
	checkTop(table)
	return len(table)
}

func checkColumns(generation int64) {
	better := int64(0)
	for _, one := range documentsIn(db.Collection("leaderboards/" + given.Cup + "/seasons/all_time/players")) {
		points, goals := one.Columns["points"], one.Columns["goals"]
		if points > 3 || (points == 3 && goals > -2) {
			better++
		}
	}
	asked := []string{"points:3", "goals:-2"}
	answer := must(api.GetRankOfScoreWithResponse(ctx, given.Cup, &rest.GetRankOfScoreParams{MinGeneration: &generation, Columns: &asked}))
	if answer.JSON200 == nil {
		log.Fatalf("the rank of columns: %s", answer.Body)
	}
	require(equal("the columns of a rank", *answer.JSON200.Columns, map[string]int64{"points": 3, "goals": -2}))
	require(equal("the rank of columns", answer.JSON200.Rank, 1+better))
}

// checkTop compares what the listeners have heard, which comes a little later, and the top over REST.
func checkTop(table []row) {
	best := table[:10]
	until := time.Now().Add(time.Duration(given.Seconds * float64(time.Second)))
	for {
		heard.Lock()
		err := equal("the top that was listened to", heard.top, best)
		for _, one := range table {
			if one.player == "ann" && err == nil {
				err = equal("the player who was listened to", heard.ann, one.score)
			}
		}
		heard.Unlock()
		if err == nil {
			break
		}
		if time.Now().After(until) {
			log.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	top := must(api.GetTopWithResponse(ctx, given.Points, &rest.GetTopParams{}))
	if top.JSON200 == nil {
		log.Fatalf("getTop answered %s", top.Body)
	}
	var lines []row
	for _, one := range top.JSON200.Entries {
		lines = append(lines, row{one.Player, one.Score, one.Rank, one.Position})
	}
	require(equal("the top over REST", lines, best))
}

var heard struct {
	sync.Mutex
	top []row
	ann float64
}

func listen(document *firestore.DocumentRef, told func(*firestore.DocumentSnapshot)) {
	snapshots := document.Snapshots(ctx)
	for {
		snapshot, err := snapshots.Next()
		if err != nil {
			log.Fatal(err)
		}
		if !snapshot.Exists() {
			continue
		}
		heard.Lock()
		told(snapshot)
		heard.Unlock()
	}
}

func main() {
	read(os.Args[1], &given)
	var scenario struct{ Phases [][]step }
	read(given.Scenario, &scenario)
	db = must(firestore.NewClient(ctx, given.Project))
	authorize := rest.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+given.Token)
		return nil
	})
	api = must(rest.NewClientWithResponses(given.Rest, authorize))
	season := db.Doc("leaderboards/" + given.Points + "/seasons/all_time")
	players = season.Collection("players")
	go listen(season.Collection("top").Doc("current"), func(snapshot *firestore.DocumentSnapshot) {
		var top struct {
			Entries []entry `firestore:"entries"`
		}
		require(snapshot.DataTo(&top))
		heard.top = nil
		for _, one := range top.Entries {
			heard.top = append(heard.top, row{one.Player, one.Score, one.Rank, one.Position})
		}
	})
	go listen(players.Doc("ann"), func(snapshot *firestore.DocumentSnapshot) {
		var ann player
		require(snapshot.DataTo(&ann))
		heard.ann = ann.Score
	})
	for _, phase := range scenario.Phases {
		for _, one := range phase {
			write(one)
		}
		fmt.Println("written")
		var generation, cupGeneration int64
		must(fmt.Scanln(&generation, &cupGeneration))
		fmt.Println("checked", check(generation, cupGeneration))
	}
}
