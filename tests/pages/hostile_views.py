"""Texts that try to be markup are shown as texts."""

from harness import contains, equal, no_errors


def test_hostile_texts_are_texts(page, subjects):
    page.open(subjects.page("page_subjects", "hostile", "--runs", 5))
    equal(page.run("window.hacked"), None, "nothing of it ran")
    equal(page.count("script"), 0, "scripts in the body")
    equal(page.count("img"), 0)
    equal(page.count("main b b"), 0)
    contains(page.text(".diagram"), "</script><script>window.hacked = 1</script>")
    contains(page.text(".diagram"), "⟨U+202E⟩gnirts")
    contains(page.text(".side"), "complaint: <img src=x onerror=window.hacked=1>")
    equal(page.run("/[\\u0000-\\u0008\\u202a-\\u202e\\u2066-\\u2069\\u200f]/.test(document.body.innerText)"), False,
          "marks that the browser would obey")
    for _ in range(7):
        page.press("ArrowUp")
        page.settle()
        equal(page.run("window.hacked"), None)
    no_errors(page)
